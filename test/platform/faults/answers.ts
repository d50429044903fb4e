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

const typed = (type: string) => ({ 'content-type': `${type}; charset=utf-8` });

/** The answer that a fault gives; `undefined` for faults that answer as usual or not at all. */
export function faultAnswer(fault: Fault | undefined): FaultAnswer | undefined {
	const raw = (usual: number, headers: Record<string, string>, text: string) => ({
		status: (fault as { status?: number }).status ?? usual,
		headers,
		text,
		code: '',
	});
	switch (fault?.fault) {
		case 'status': {
			const { status, retryAfter = status === 429 ? 1 : undefined, omitRetryAfter } = fault;
			const isTold = retryAfter !== undefined && omitRetryAfter !== true;
			const headers = isTold ? { 'retry-after': String(retryAfter) } : undefined;
			return { status, headers: headers ?? {}, code: fault.code ?? CODES[status] ?? 'INJECTED' };
		}
		case 'malformedJson':
			return raw(200, typed('application/json'), '{"data":[{"id":"prod_');
		case 'html':
			return raw(502, typed('text/html'), HTML);
		case 'empty':
			return raw(200, {}, '');
		case 'redirect':
			return raw(302, { location: fault.location }, '');
		default:
			return undefined;
	}
}
