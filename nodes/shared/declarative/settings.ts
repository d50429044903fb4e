import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../api/nodeErrors';
import type { SendOptions } from '../api/request';
import type { ItemScope } from './operation';

/** How a list's result comes out. */
export interface ListSettings {
	limit?: number;
	startCursor?: string;
	maxPages?: number;
	pages: boolean;
}

/**
 * Checks a number that the user entered, before anything is sent.
 *
 * @param field display name
 * @throws InputError unless it is a whole number within the bounds
 */
export function wholeNumber(
	field: string,
	value: unknown,
	min: number,
	max = Number.MAX_SAFE_INTEGER,
): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max) {
		const bounds = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
		throw new InputError(
			field,
			`must be a whole number ${bounds}`,
			`It is ${JSON.stringify(value)}.`,
		);
	}
	return number;
}

/**
 * Reads a text that may be left empty. A number counts as text, since expressions often give one.
 *
 * @param field display name
 * @returns without surrounding space; undefined when empty
 * @throws InputError for anything else, which would otherwise be dropped in silence
 */
export function optionalText(field: string, value: unknown): string | undefined {
	if (value === undefined || value === null) return undefined;
	if (typeof value === 'number' && Number.isFinite(value)) return String(value);
	if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
	throw new InputError(field, 'must be a text', `It is ${JSON.stringify(value)}.`);
}

/**
 * The user's choices for how requests are sent: n8n's Request Options and this node's own. They count for the
 * whole run, so they are read from the first item.
 *
 * @throws InputError
 */
export function sendOptionsOf(item: ItemScope): Partial<SendOptions> {
	const own = item.parameter('options', {}) as IDataObject;
	const engine = item.parameter('requestOptions', {}) as IDataObject;
	const options: Partial<SendOptions> = {};
	if (own.maxRequestsAtOnce !== undefined) {
		options.maxInFlight = wholeNumber('Max Requests at Once', own.maxRequestsAtOnce, 1, 10);
	}
	if (own.maxRetryWait !== undefined) {
		options.maxWaitMs = wholeNumber('Max Retry Wait (Seconds)', own.maxRetryWait, 0, 86_400) * 1000;
	}
	if (own.keepDailyBudget !== undefined) {
		options.keepDailyBudgetPercent = wholeNumber(
			'Keep Daily Budget (%)',
			own.keepDailyBudget,
			0,
			100,
		);
	}
	if (engine.timeout) options.timeoutMs = wholeNumber('Timeout', engine.timeout, 1);
	if (engine.allowUnauthorizedCerts === true) options.skipSslCertificateValidation = true;
	if (typeof engine.proxy === 'string' && engine.proxy !== '')
		options.proxy = proxyOf(engine.proxy);
	return options;
}

/**
 * How many records a list gives, and in which form.
 *
 * @throws InputError
 */
export function listSettingsOf(item: ItemScope): ListSettings {
	const options = item.parameter('options', {}) as IDataObject;
	const settings: ListSettings = { pages: options.output === 'pages' };
	if (item.parameter('returnAll', false) !== true)
		settings.limit = wholeNumber('Limit', item.parameter('limit', 50), 1);
	settings.startCursor = optionalText('Start Cursor', options.startCursor);
	if (options.maxPages !== undefined)
		settings.maxPages = wholeNumber('Max Pages', options.maxPages, 1);
	return settings;
}

/** n8n's own batching setting: items that start together, and the pause between such batches in ms. */
export function batchingOf(item: ItemScope): { size: number; intervalMs: number } {
	const { batching } = item.parameter('requestOptions', {}) as {
		batching?: { batch?: IDataObject };
	};
	const size = Number(batching?.batch?.batchSize ?? 0);
	const intervalMs = Number(batching?.batch?.batchInterval ?? 0);
	return { size: size > 0 ? size : 1, intervalMs: intervalMs > 0 ? intervalMs : 0 };
}

function proxyOf(text: string): NonNullable<SendOptions['proxy']> {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined) {
		throw new InputError(
			'Proxy',
			'is not a web address',
			'Enter it like http://proxy.example:3128.',
		);
	}
	return {
		host: url.hostname,
		port: Number(url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port),
		protocol: url.protocol.replace(':', ''),
		...(url.username === ''
			? {}
			: {
					auth: {
						username: decodeURIComponent(url.username),
						password: decodeURIComponent(url.password),
					},
				}),
	};
}
