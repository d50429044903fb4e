import type { IDataObject } from 'n8n-workflow';

import { createClient, type PlatformClient } from '../../shared/api/client';
import type { RetryWrites, SendOptions } from '../../shared/api/request';
import { InputError } from '../../shared/errors/errors';
import { wholeNumber } from '../../shared/values/readers';
import { optionsOf } from '../fields/options';
import type { Inputs } from './inputs';
import { Writes } from './keys';
import type { Operation, Resource } from './operation';
import { readOptions } from './read';
import { Report } from './report';

/** What all items of a run have in common. */
export interface Run {
	operation: Operation;
	/** Input items. */
	total: number;
	/** e.g. `order.update` */
	name: string;
	/** The first item's options. */
	options: IDataObject;
	batching: Batching;
	client: PlatformClient;
	/** Whether it changes anything on the platform. */
	isWrite: boolean;
	/** Made when a write first needs them. */
	readonly writes: Writes;
	report: Report;
	/** The records of the items that would change nothing, by the items' indexes. */
	unchanged?: ReadonlyMap<number, IDataObject>;
}

/** n8n's own batching setting: items that start together, and the pause between such batches in ms. */
interface Batching {
	size: number;
	intervalMs: number;
}

/**
 * Begins a run over input items. The first item's options count for all of it.
 *
 * @throws CredentialError, InputError
 */
export async function startRun(
	inputs: Inputs,
	resource: Resource,
	operation: Operation,
): Promise<Run> {
	const { context } = inputs;
	const first = inputs.item(inputs.first);
	const options = optionsOf(first);
	const requestOptions = first.parameter('requestOptions', {}) as IDataObject;
	const client = await createClient(
		context,
		sendOptionsOf(requestOptions, readOptions(operation, options, 'requests')),
	);
	const name = `${resource.value}.${operation.option.value}`;
	let writes: Writes | undefined;
	return {
		operation,
		total: inputs.total,
		name,
		options,
		batching: batchingOf(requestOptions),
		client,
		isWrite: isWrite(operation),
		report: new Report(context, client),
		get writes() {
			return (writes ??= new Writes(inputs, name));
		},
	};
}

function isWrite(operation: Operation): boolean {
	const { kind, option } = operation;
	if (kind === 'each' && operation.requests !== undefined) return true;
	return kind === 'all' || option.routing.request.method !== 'GET';
}

/**
 * The user's choices for how requests are sent.
 *
 * @param engine n8n's Request Options
 * @param own this node's Requests
 * @throws InputError
 */
function sendOptionsOf(engine: IDataObject, own: IDataObject): Partial<SendOptions> {
	const { maxRetryWait, retryWrites } = own;
	return defined({
		maxInFlight: own.maxRequestsAtOnce as number,
		maxWaitMs: maxRetryWait === undefined ? undefined : Number(maxRetryWait) * 1000,
		keepDailyBudgetPercent: own.keepDailyBudget as number,
		keepMinuteBudgetPercent: own.keepMinuteBudget as number,
		retryWrites: (retryWrites ?? undefined) as RetryWrites,
		timeoutMs: engine.timeout ? wholeNumber('Timeout', engine.timeout, 1) : undefined,
		skipSslCertificateValidation: engine.allowUnauthorizedCerts === true || undefined,
		proxy: (engine.proxy ?? '') === '' ? undefined : proxyOf(engine.proxy),
	});
}

/** Without what is undefined, which would take the place of a default. */
function defined(options: Partial<SendOptions>): Partial<SendOptions> {
	return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function batchingOf({ batching }: IDataObject): Batching {
	const { batch = {} } = (batching ?? {}) as { batch?: IDataObject };
	const size = Number(batch.batchSize ?? 0);
	const intervalMs = Number(batch.batchInterval ?? 0);
	return { size: size > 0 ? size : 1, intervalMs: intervalMs > 0 ? intervalMs : 0 };
}

type Proxy = NonNullable<SendOptions['proxy']>;

const FIELD = 'Proxy';

/** By the schemes that n8n can reach a proxy by; it leaves out any other in silence. */
const DEFAULT_PORTS: Partial<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * The proxy of n8n's Request Options. One that cannot be used is refused: without it the request would go out
 * directly, with the API key.
 *
 * @param entered e.g. `http://name:password@proxy.example:3128`; name and password in percent-encoding
 * @throws InputError, which quotes nothing of it, since it may hold a password
 */
function proxyOf(entered: unknown): Proxy {
	const url = typeof entered === 'string' && URL.canParse(entered) ? new URL(entered) : undefined;
	const defaultPort = url && DEFAULT_PORTS[url.protocol];
	if (url === undefined || defaultPort === undefined || url.hostname === '')
		throw new InputError(
			FIELD,
			'must be a web address that starts with http:// or https://',
			'Enter it like http://proxy.example:3128. Nothing was sent.',
		);
	const { hostname: host, protocol, username, password } = url;
	const auth = { username: decoded(username), password: decoded(password) };
	return {
		host,
		port: url.port === '' ? defaultPort : Number(url.port),
		protocol: protocol.replace(':', ''),
		...(username === '' ? {} : { auth }),
	};
}

/** A part of the address as n8n takes it, which makes an address of it again and escapes all but %. */
function decoded(part: string): string {
	const text = decode(part);
	if (text !== undefined) return text.replaceAll('%', '%25');
	throw new InputError(
		FIELD,
		'has a % in its name or password that stands for nothing',
		'Write %25 for a percent sign. Nothing was sent.',
	);
}

function decode(part: string): string | undefined {
	try {
		return decodeURIComponent(part);
	} catch {
		return undefined;
	}
}
