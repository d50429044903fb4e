import type { IHttpRequestOptions } from 'n8n-workflow';

import type { ProblemDetails } from './errors';
import { networkErrorOf } from './networkErrors';
import type { Outcome } from './request';

/** n8n sets this mark on errors that no repetition can help, e.g. if its SSRF protection stopped the request. */
const NOT_RETRYABLE = Symbol.for('n8n.backend-network.non-retryable-error');

/** The names of errors of n8n's SSRF protection, for versions of n8n that have it without the mark. */
const SSRF_NAME = /^Ssrf/;

/** The system's and axios' codes for a timeout. */
const TIMEOUT_CODES = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);

/** What the errors of n8n, axios and Node.js may hold. */
interface RawError {
	name?: unknown;
	message?: unknown;
	description?: unknown;
	code?: unknown;
	cause?: unknown;
	/** The errors of the addresses of one host, if all of them were tried. */
	errors?: unknown;
	syscall?: unknown;
	address?: unknown;
	port?: unknown;
	hostname?: unknown;
	[NOT_RETRYABLE]?: unknown;
}

/**
 * Makes the outcome of an attempt that got no whole answer.
 *
 * @param error from n8n's helper or the connection, or the reason why this package ended the attempt
 * @param target where the request was to go
 */
export function unanswered(
	error: unknown,
	target: Pick<IHttpRequestOptions, 'url' | 'proxy'>,
): Outcome {
	const causes = causesOf(error);
	const refusal = causes.find(isRefusalOfN8n);
	if (refusal !== undefined) {
		const [message, description] = [String(refusal.message), String(refusal.description ?? '')];
		const details = { neverSent: true, refusal: { message, description } } as const;
		return { budget: {}, problem: 'refused-by-n8n', details };
	}
	const networkCode = codeOf(causes);
	const problem = TIMEOUT_CODES.has(networkCode ?? '') ? 'timeout' : 'unreachable';
	const details: ProblemDetails = { networkCode };
	if (!canHaveArrived(networkCode, causes)) details.neverSent = true;
	const address = proxyOf(causes, target.url);
	if (address !== undefined) details.proxy = { address, isOfNode: target.proxy !== undefined };
	return { budget: {}, problem, details };
}

/** The error and its causes, the system's last: n8n wraps the errors of axios, which wraps those of the system. */
function causesOf(error: unknown): RawError[] {
	const causes: RawError[] = [];
	for (let cause: unknown = error; typeof cause === 'object' && cause !== null;) {
		causes.push(cause);
		const { cause: next, errors } = cause as RawError;
		cause = next ?? (Array.isArray(errors) ? (errors[0] as unknown) : undefined);
		if (causes.length > MAX_CAUSES) break;
	}
	return causes;
}

const MAX_CAUSES = 8;

const isRefusalOfN8n = (error: RawError): boolean =>
	error[NOT_RETRYABLE] === true || SSRF_NAME.test(String(error.name));

/** The system's code. If its message or call tells more, the code is made more exact. */
function codeOf(causes: RawError[]): string | undefined {
	const code = causes.map((error) => error.code).find((causeCode) => typeof causeCode === 'string');
	// OpenSSL's own reason is in the message.
	if (code === 'EPROTO') {
		const reasons = causes.map(({ message }) => SSL_REASON.exec(String(message))?.[1]);
		const reason = reasons.find((message) => message !== undefined);
		return reason && `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;
	}
	return code === 'ETIMEDOUT' && isConnecting(causes) ? 'connect ETIMEDOUT' : code;
}

const SSL_REASON = /SSL routines:[^:]{0,99}:([^:]{1,99}):/;

/**
 * Whether the request can have reached the platform. It leaves this machine after the connection is made and TLS is
 * agreed on.
 */
function canHaveArrived(networkCode: string | undefined, causes: RawError[]): boolean {
	if (isConnecting(causes)) return false;
	const isTransfer = causes.some(({ syscall }) => syscall === 'read' || syscall === 'write');
	// Some codes, e.g. EHOSTUNREACH, also come while the answer is awaited.
	if (isTransfer && networkCode?.startsWith('ERR_SSL_') !== true) return true;
	return networkErrorOf(networkCode).canHaveArrived;
}

const BEFORE_TLS = 'disconnected before secure TLS connection was established';

const isConnecting = (causes: RawError[]): boolean =>
	causes.some(
		({ syscall, message }) =>
			syscall === 'connect' ||
			syscall === 'getaddrinfo' ||
			String(message).includes(BEFORE_TLS) ||
			isProxyMessage(message),
	);

/** The words of n8n's proxy agent. */
const isProxyMessage = (message: unknown): boolean =>
	String(message).startsWith('Proxy connection ended');

/**
 * The address of the proxy that could not be reached, e.g. `proxy.example:3128`. It is empty if only the message tells
 * that it was a proxy, and undefined if the connection was to the platform itself, as far as the error tells.
 */
function proxyOf(causes: RawError[], url: string): string | undefined {
	const { hostname: host, port, protocol } = new URL(url);
	const wantedHost = host.replace(/^\[|\]$/g, '');
	const wantedPort = Number(port || (protocol === 'http:' ? 80 : 443));
	for (const error of causes) {
		if (isProxyMessage(error.message)) return '';
		if (error.syscall === 'getaddrinfo' && typeof error.hostname === 'string')
			return error.hostname === wantedHost ? undefined : error.hostname;
		if (error.syscall !== 'connect' || typeof error.port !== 'number') continue;
		const { address } = error;
		const isOtherAddress = isIpAddress(wantedHost) && address !== wantedHost;
		if (error.port === wantedPort && !isOtherAddress) return undefined;
		return `${String(address)}:${error.port}`;
	}
	return undefined;
}

const isIpAddress = (host: string): boolean => /^[\d.]+$/.test(host) || host.includes(':');
