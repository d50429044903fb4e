import type { IDataObject, IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

import { createClient, type PlatformClient } from '../../shared/api/client';
import type { RetryWrites, SendOptions } from '../../shared/api/request';
import { oneOf, wholeNumber } from '../../shared/values/readers';
import type { Item } from '../fields/field';
import type { Operation, Resource } from './operation';
import { proxyOf } from './proxy';
import { Report } from './report';
import { Writes } from '../run/keys';

/** What all items of a run have in common. */
export interface Run {
	operation: Operation;
	/** e.g. `order.update` */
	name: string;
	/** The first item's options. */
	options: IDataObject;
	client: PlatformClient;
	/** Whether it changes anything on the platform. */
	isWrite: boolean;
	/** Made when a write first needs them. */
	readonly writes: Writes;
	report: Report;
	/** The records of the items that would change nothing, by the items' indexes. */
	unchanged?: ReadonlyMap<number, IDataObject>;
}

/**
 * Begins a run over input items.
 *
 * @param first the item whose options count for the whole run
 * @throws CredentialError, InputError
 */
export async function startRun(
	context: IExecuteFunctions | IExecuteSingleFunctions,
	resource: Resource,
	operation: Operation,
	first: Item,
): Promise<Run> {
	const options = first.parameter('options', {}) as IDataObject;
	const client = await createClient(context, sendOptionsOf(first, options));
	const name = `${resource.value}.${operation.option.value}`;
	let writes: Writes | undefined;
	return {
		operation,
		name,
		options,
		client,
		isWrite: isWrite(operation),
		report: new Report(context, client),
		get writes() {
			writes ??= new Writes(context, name, first.itemIndex);
			return writes;
		},
	};
}

function isWrite(operation: Operation): boolean {
	const { kind, option } = operation;
	if (kind === 'each' && operation.requests !== undefined) return true;
	return kind === 'sequence' || kind === 'all' || option.routing.request.method !== 'GET';
}

/**
 * The user's choices for how requests are sent: n8n's Request Options and this node's own. They count for the
 * whole run, so they are read from the first item.
 *
 * @throws InputError
 */
function sendOptionsOf(first: Item, own: IDataObject): Partial<SendOptions> {
	const engine = first.parameter('requestOptions', {}) as IDataObject;
	const options: Partial<SendOptions> = {};
	const given = (name: string, label: string, min: number, max: number) =>
		own[name] === undefined ? undefined : wholeNumber(label, own[name], min, max);
	options.maxInFlight = given('maxRequestsAtOnce', 'Max Requests at Once', 1, 10);
	const maxWait = given('maxRetryWait', 'Max Retry Wait (Seconds)', 0, 86_400);
	if (maxWait !== undefined) options.maxWaitMs = maxWait * 1000;
	options.keepDailyBudgetPercent = given('keepDailyBudget', 'Keep Daily Budget (%)', 0, 100);
	options.keepMinuteBudgetPercent = given('keepMinuteBudget', 'Keep Minute Budget (%)', 0, 100);
	options.retryWrites = oneOf('Retry Writes', own.retryWrites, RETRY_WRITES);
	if (engine.timeout) options.timeoutMs = wholeNumber('Timeout', engine.timeout, 1);
	if (engine.allowUnauthorizedCerts === true) options.skipSslCertificateValidation = true;
	if ((engine.proxy ?? '') !== '') options.proxy = proxyOf(engine.proxy);
	return defined(options);
}

const RETRY_WRITES: RetryWrites[] = ['automatic', 'whenSurelyNotApplied', 'never'];

/** Without what is undefined, which would take the place of a default. */
function defined<T extends object>(options: T): T {
	return Object.fromEntries(
		Object.entries(options).filter(([, value]) => value !== undefined),
	) as T;
}

/** n8n's own batching setting: items that start together, and the pause between such batches in ms. */
export function batchingOf(first: Item): { size: number; intervalMs: number } {
	const { batching } = first.parameter('requestOptions', {}) as {
		batching?: { batch?: IDataObject };
	};
	const size = Number(batching?.batch?.batchSize ?? 0);
	const intervalMs = Number(batching?.batch?.batchInterval ?? 0);
	return { size: size > 0 ? size : 1, intervalMs: intervalMs > 0 ? intervalMs : 0 };
}
