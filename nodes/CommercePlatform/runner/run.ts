import type { IDataObject } from 'n8n-workflow';

import { clientWith } from '../../shared/rest/client';
import type { SendOptions } from '../../shared/rest/request';
import { InputError } from '../../shared/rest/errors';
import type { Field, Item } from '../../shared/values/fields';
import { wholeNumber } from '../../shared/values/readers';
import { type InputItems, itemReader, optionsIn, readChoices } from './inputItems';
import type { MerchantItems } from './merchants';
import type { Operation, Resource } from './operation';
import { Report } from './report';
import { writesOf } from './writes';

/** What all items share that a run sends to one merchant. */
export type Run = ReturnType<typeof startRun>;

/**
 * Prepares a run over the items of a merchant. Options that count for the whole run are those of its first item.
 *
 * @throws CredentialError, InputError
 */
export function startRun(
	inputs: InputItems,
	resource: Resource,
	operation: Operation,
	{ credential, itemIndexes }: MerchantItems,
) {
	const { context, node } = inputs;
	const item = inputs.item(itemIndexes[0]);
	const { requestOptions } = operation;
	const chosen = item.parameter(requestOptions.name, {}) as IDataObject;
	const client = clientWith(
		operation.service,
		context,
		credential,
		sendOptionsOf(requestOptions, chosen),
	);
	const { kind, option } = operation;
	const sharedValues = new Map<unknown, unknown>();
	const sendsSeveral = kind === 'each' && operation.requests !== undefined;
	return {
		operation,
		/** Which of the input items. */
		itemIndexes,
		/** The first item's Options, as they were entered. */
		firstItemOptions: item.parameter('options', {}) as IDataObject,
		batching: batchingOf(chosen),
		client,
		/** Whether it changes anything on the platform. */
		isWrite: kind === 'all' || sendsSeveral || option.routing.request.method !== 'GET',
		writes: writesOf(inputs, `${resource.value}.${option.value}`, client.credentialId),
		report: new Report(context, client),
		/** See `Call`. */
		shared: <T>(make: (items: readonly Item[]) => T): T => {
			if (!sharedValues.has(make))
				sharedValues.set(make, make(itemIndexes.map((index) => inputs.item(index))));
			return sharedValues.get(make) as T;
		},
		/** Reads what an item's fields say. */
		read: itemReader(operation, node),
	};
}

/** The options that count for the whole run. The others are read for each item. */
const RUN_WIDE: readonly string[] = [
	'keepDailyBudget',
	'keepMinuteBudget',
	'maxRequestsAtOnce',
	'maxRetryWait',
	'retryWrites',
];

/**
 * The user's choices for how requests are sent. Undefined values are left out, since they would replace the defaults.
 *
 * @param chosen what was entered under Request Options: n8n's own options, and ours
 * @throws InputError
 */
function sendOptionsOf(requestOptions: Field, chosen: IDataObject): Partial<SendOptions> {
	const fields = optionsIn(requestOptions).filter(({ name }) => RUN_WIDE.includes(name));
	const choices = readChoices(fields, chosen);
	const { maxRetryWait } = choices;
	const options = {
		maxInFlight: choices.maxRequestsAtOnce,
		maxWaitMs: maxRetryWait === undefined ? undefined : Number(maxRetryWait) * 1000,
		keepDailyBudgetPercent: choices.keepDailyBudget,
		keepMinuteBudgetPercent: choices.keepMinuteBudget,
		retryWrites: choices.retryWrites,
		timeoutMs: chosen.timeout ? wholeNumber('Timeout', chosen.timeout, 1) : undefined,
		skipSslCertificateValidation: chosen.allowUnauthorizedCerts === true || undefined,
		proxy: (chosen.proxy ?? '') === '' ? undefined : proxyOf(chosen.proxy),
	};
	return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** n8n's own batching setting: how many items start together, and the pause between two such batches in ms. */
function batchingOf({ batching }: IDataObject) {
	const { batch = {} } = (batching ?? {}) as { batch?: IDataObject };
	const size = Number(batch.batchSize ?? 0);
	const intervalMs = Number(batch.batchInterval ?? 0);
	return { size: size > 0 ? size : 1, intervalMs: intervalMs > 0 ? intervalMs : 0 };
}

/** The schemes that n8n supports for a proxy, with their ports. n8n silently ignores a proxy with any other scheme. */
const DEFAULT_PORTS: Partial<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * Reads the proxy of n8n's Request Options. A proxy that cannot be used is an error: without it the request, and the
 * API key, would go out directly.
 *
 * @param entered e.g. `http://name:password@proxy.example:3128`; name and password in percent-encoding
 * @throws InputError; it does not quote the address, which may hold a password
 */
function proxyOf(entered: unknown): SendOptions['proxy'] {
	const url = typeof entered === 'string' && URL.canParse(entered) ? new URL(entered) : undefined;
	const defaultPort = DEFAULT_PORTS[url?.protocol ?? ''];
	const username = decoded(url?.username);
	const password = decoded(url?.password);
	if (!url || !defaultPort || username === undefined || password === undefined)
		throw new InputError(
			'Proxy',
			'must be a web address that starts with http:// or https://',
			'Enter it like http://name:password@proxy.example:3128, with %25 for a percent sign. Nothing was sent.',
		);
	return {
		host: url.hostname,
		port: Number(url.port || defaultPort),
		protocol: url.protocol.replace(':', ''),
		...(username === '' ? {} : { auth: { username, password } }),
	};
}

/**
 * Decodes the user name or password of a proxy's address. n8n puts it into an address again and escapes everything but
 * %, so % stays escaped.
 *
 * @returns undefined if a % in it begins no valid escape
 */
function decoded(part = ''): string | undefined {
	try {
		return decodeURIComponent(part).replaceAll('%', '%25');
	} catch {
		return undefined;
	}
}
