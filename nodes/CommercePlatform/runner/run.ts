import type { IDataObject } from 'n8n-workflow';

import { rawCredentialOf } from '../../shared/n8n';
import { clientWith } from '../../shared/rest/client';
import { InputError } from '../../shared/rest/errors';
import { CREDENTIAL, type SendOptions } from '../../shared/rest/request';
import type { Field, Item } from '../../shared/values/fields';
import { isObject } from '../../shared/values/json';
import { wholeNumber } from '../../shared/values/readers';
import { holdsExpression, type InputItems, itemReader, optionsIn, readChoices } from './inputItems';
import type { Operation, Resource } from './operation';
import { inParallel } from './pool';
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

/** Items of a run whose credential has the same address and key. They go to one merchant. */
interface MerchantItems {
	/** The credential as n8n has resolved it for these items. */
	credential: IDataObject;
	/** In input order. */
	itemIndexes: number[];
}

/** How many credentials n8n is asked for at once. Each one is a query of its database. */
const CREDENTIALS_AT_ONCE = 20;

/**
 * Groups the items of a run by merchant. A credential's fields can be expressions, which n8n resolves for each item. So
 * the items of one run may go to several shops.
 *
 * @param failed receives an item whose credential cannot be read
 * @returns groups in the order of their first items
 */
export async function itemsByMerchant(
	inputs: InputItems,
	failed: (itemIndex: number, error: unknown) => void,
): Promise<MerchantItems[]> {
	const { first, total } = inputs;
	const itemIndexes = Array.from({ length: total }, (_, offset) => first + offset);
	const shared = total > 2 ? await sharedCredential(inputs) : undefined;
	if (shared !== undefined) return [{ credential: shared, itemIndexes }];
	const credentials = new Map<number, IDataObject>();
	await inParallel(itemIndexes, CREDENTIALS_AT_ONCE, async (itemIndex) => {
		try {
			credentials.set(itemIndex, await credentialOf(inputs, itemIndex));
		} catch (error) {
			failed(itemIndex, error);
		}
	});
	const merchants = new Map<string, MerchantItems>();
	for (const itemIndex of itemIndexes) {
		const credential = credentials.get(itemIndex);
		if (credential === undefined) continue;
		const merchantKey = keyOf(credential);
		const merchant = merchants.get(merchantKey) ?? { credential, itemIndexes: [] };
		merchant.itemIndexes.push(itemIndex);
		merchants.set(merchantKey, merchant);
	}
	return [...merchants.values()];
}

const keyOf = ({ baseUrl, apiKey }: IDataObject): string => JSON.stringify([baseUrl, apiKey]);

const credentialOf = async ({ context }: InputItems, itemIndex: number): Promise<IDataObject> =>
	await ('getItemIndex' in context
		? context.getCredentials<IDataObject>(CREDENTIAL)
		: context.getCredentials<IDataObject>(CREDENTIAL, itemIndex));

/**
 * The credential of all items, if it holds no expression, and n8n resolves it to what was entered.
 *
 * @returns undefined if it may differ between items, or cannot be read
 */
async function sharedCredential(inputs: InputItems): Promise<IDataObject | undefined> {
	const { context, node, first, total } = inputs;
	const entered = await rawCredentialOf(context, CREDENTIAL);
	if (!isObject(entered) || holdsExpression([entered, node.credentials])) return undefined;
	try {
		const credential = await credentialOf(inputs, first);
		const last = await credentialOf(inputs, first + total - 1);
		const isShared = [credential, last].every((each) => keyOf(each) === keyOf(entered));
		return isShared ? credential : undefined;
	} catch {
		return undefined;
	}
}
