import type { Fault } from './types';

/** What goes out in place of the real answer. */
export interface FaultAnswer {
	status: number;
	headers: Record<string, string>;
	/** Absent = an error body as the platform itself writes it. */
	text?: string;
	code: string;
}

const CODES: Readonly<Record<number, string>> = {
	408: 'REQUEST_TIMEOUT',
	429: 'RATE_LIMITED',
	500: 'INTERNAL',
	502: 'BAD_GATEWAY',
	503: 'UNAVAILABLE',
	504: 'GATEWAY_TIMEOUT',
};

const HTML = '<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** The answer that a fault gives; `undefined` for faults that answer as usual or not at all. */
export function faultAnswer(fault: Fault | undefined): FaultAnswer | undefined {
	switch (fault?.fault) {
		case 'status': {
			const { status, retryAfter = status === 429 ? 1 : undefined, omitRetryAfter } = fault;
			const isTold = retryAfter !== undefined && omitRetryAfter !== true;
			return {
				status,
				headers: isTold ? { 'retry-after': String(retryAfter) } : {},
				code: fault.code ?? CODES[status] ?? 'INJECTED',
			};
		}
		case 'malformedJson':
			return {
				status: fault.status ?? 200,
				headers: JSON_TYPE,
				text: '{"data":[{"id":"prod_',
				code: '',
			};
		case 'html':
			return {
				status: fault.status ?? 502,
				headers: { 'content-type': 'text/html; charset=utf-8' },
				text: HTML,
				code: '',
			};
		case 'empty':
			return { status: fault.status ?? 200, headers: {}, text: '', code: '' };
		case 'redirect':
			return {
				status: fault.status ?? 302,
				headers: { location: fault.location },
				text: '',
				code: '',
			};
		default:
			return undefined;
	}
}
