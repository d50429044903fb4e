import type { IDataObject } from 'n8n-workflow';

import type { RetryWrites, SendOptions } from '../../shared/api/request';
import { InputError } from '../../shared/input/inputError';
import { describe, saysNothing, someText, wholeNumber } from '../../shared/input/readers';
import { flagParameter } from './flag';
import type { ItemScope } from './operation';

/** How many records a list gives, and how they come out. */
export interface ListOptions {
	limit?: number;
	startCursor?: string;
	maxPages?: number;
	/** Records a page. */
	pageSize?: number;
	/** One item a page instead of one a record. */
	asPages: boolean;
}

/**
 * The user's choices for how requests are sent: n8n's Request Options and this node's own. They count for the
 * whole run, so they are read from the first item.
 *
 * @throws InputError
 */
export function sendOptionsOf(first: ItemScope): Partial<SendOptions> {
	const own = first.parameter('options', {}) as IDataObject;
	const engine = first.parameter('requestOptions', {}) as IDataObject;
	const options: Partial<SendOptions> = {};
	const given = (name: string, label: string, min: number, max: number) =>
		own[name] === undefined ? undefined : wholeNumber(label, own[name], min, max);
	options.maxInFlight = given('maxRequestsAtOnce', 'Max Requests at Once', 1, 10);
	const maxWait = given('maxRetryWait', 'Max Retry Wait (Seconds)', 0, 86_400);
	if (maxWait !== undefined) options.maxWaitMs = maxWait * 1000;
	options.keepDailyBudgetPercent = given('keepDailyBudget', 'Keep Daily Budget (%)', 0, 100);
	options.keepMinuteBudgetPercent = given('keepMinuteBudget', 'Keep Minute Budget (%)', 0, 100);
	if (own.retryWrites !== undefined) options.retryWrites = retryWritesOf(own.retryWrites);
	if (engine.timeout) options.timeoutMs = wholeNumber('Timeout', engine.timeout, 1);
	if (engine.allowUnauthorizedCerts === true) options.skipSslCertificateValidation = true;
	if (typeof engine.proxy === 'string' && engine.proxy !== '')
		options.proxy = proxyOf(engine.proxy);
	return defined(options);
}

function retryWritesOf(value: unknown): RetryWrites {
	const known = RETRY_WRITES.find((one) => one === value);
	if (known !== undefined) return known;
	throw new InputError('Retry Writes', `cannot be ${describe(value)}`);
}

const RETRY_WRITES: RetryWrites[] = ['automatic', 'whenSurelyNotApplied', 'never'];

/** Without what is undefined, which would take the place of a default. */
function defined<T extends object>(options: T): T {
	return Object.fromEntries(
		Object.entries(options).filter(([, value]) => value !== undefined),
	) as T;
}

/**
 * How many records a list gives, and in which form.
 *
 * @throws InputError
 */
export function listOptionsOf(item: ItemScope): ListOptions {
	const options = item.parameter('options', {}) as IDataObject;
	const list: ListOptions = { asPages: options.output === 'pages' };
	if (!flagParameter(item, 'returnAll', 'Return All'))
		list.limit = wholeNumber('Limit', item.parameter('limit', 50), 1);
	if (!saysNothing(options.startCursor))
		list.startCursor = someText('Start Cursor', options.startCursor);
	if (options.pageSize !== undefined) list.pageSize = wholeNumber('Page Size', options.pageSize, 1);
	if (options.maxPages !== undefined) list.maxPages = wholeNumber('Max Pages', options.maxPages, 1);
	return list;
}

/** n8n's own batching setting: items that start together, and the pause between such batches in ms. */
export function batchingOf(first: ItemScope): { size: number; intervalMs: number } {
	const { batching } = first.parameter('requestOptions', {}) as {
		batching?: { batch?: IDataObject };
	};
	const size = Number(batching?.batch?.batchSize ?? 0);
	const intervalMs = Number(batching?.batch?.batchInterval ?? 0);
	return { size: size > 0 ? size : 1, intervalMs: intervalMs > 0 ? intervalMs : 0 };
}

function proxyOf(written: string): NonNullable<SendOptions['proxy']> {
	if (!URL.canParse(written)) {
		throw new InputError(
			'Proxy',
			'is not a web address',
			'Enter it like http://proxy.example:3128.',
		);
	}
	const url = new URL(written);
	const { hostname: host, protocol, username, password } = url;
	const port = url.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(url.port);
	const auth = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
	return { host, port, protocol: protocol.replace(':', ''), ...(username === '' ? {} : { auth }) };
}
