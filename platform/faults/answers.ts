import type { Fault } from './types';

const CODES: Readonly<Record<number, string>> = {
	408: 'REQUEST_TIMEOUT',
	429: 'RATE_LIMITED',
	500: 'INTERNAL',
	502: 'BAD_GATEWAY',
	503: 'UNAVAILABLE',
	504: 'GATEWAY_TIMEOUT',
};

const PAGE = {
	code: '',
	headers: { 'content-type': 'text/html; charset=utf-8' },
	text: '<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>',
};

/**
 * The answer that a fault sends instead of the real one. Without `text` the platform writes its usual error body.
 * `undefined` for faults that send the real answer, late or never.
 */
export function faultAnswer(
	fault: Fault | undefined,
): { status: number; headers: Record<string, string>; code: string; text?: string } | undefined {
	if (fault?.fault === 'html') return { status: fault.status ?? 502, ...PAGE };
	if (fault?.fault !== 'status') return undefined;
	const { status, retryAfter = status === 429 ? 1 : undefined } = fault;
	const headers = retryAfter === undefined ? undefined : { 'retry-after': String(retryAfter) };
	return { status, headers: headers ?? {}, code: fault.code ?? CODES[status] ?? 'INJECTED' };
}
