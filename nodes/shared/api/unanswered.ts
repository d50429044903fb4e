import type { IHttpRequestOptions } from 'n8n-workflow';

import type { ProblemDetails } from '../errors/errors';
import { networkErrorOf } from '../errors/networkErrors';
import type { Outcome } from './request';

/** Where n8n marks that repeating a request is of no use, e.g. one that its SSRF protection has stopped. */
const NOT_RETRYABLE = Symbol.for('n8n.backend-network.non-retryable-error');

/** Of n8n's SSRF protection; versions of n8n that have it without that mark name their errors so. */
const SSRF_NAME = /^Ssrf/;

/** The system's words, and axios', for a time that ran out. */
const TIMEOUT_CODES = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);

/** What the errors of n8n, axios and Node.js may hold. */
interface RawError {
	name?: unknown;
	message?: unknown;
	description?: unknown;
	code?: unknown;
	cause?: unknown;
	/** Of several addresses of one host, which were all tried. */
	errors?: unknown;
	syscall?: unknown;
	address?: unknown;
	port?: unknown;
	hostname?: unknown;
	[NOT_RETRYABLE]?: unknown;
}

/**
 * The outcome of an attempt without a whole answer.
 *
 * @param error of n8n's helper or of the connection, or why this package ended the attempt
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

/** n8n wraps the errors of axios, which wraps those of the system: all of them, the system's last. */
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

/** The system's word, made more exact where its message or its call tells more. */
function codeOf(causes: RawError[]): string | undefined {
	const code = causes.map((error) => error.code).find((causeCode) => typeof causeCode === 'string');
	// OpenSSL's own word stands in the message.
	if (code === 'EPROTO') {
		const reasons = causes.map(({ message }) => SSL_REASON.exec(String(message))?.[1]);
		const reason = reasons.find((message) => message !== undefined);
		return reason && `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;
	}
	return code === 'ETIMEDOUT' && isConnecting(causes) ? 'connect ETIMEDOUT' : code;
}

const SSL_REASON = /SSL routines:[^:]{0,99}:([^:]{1,99}):/;

/** Whether the request can have left this machine: it is sent once there is a connection, and TLS is agreed on. */
function canHaveArrived(networkCode: string | undefined, causes: RawError[]): boolean {
	if (isConnecting(causes)) return false;
	const isTransfer = causes.some(({ syscall }) => syscall === 'read' || syscall === 'write');
	// Of the same words, e.g. EHOSTUNREACH, some also come while an answer is waited for.
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
			isOfProxy(message),
	);

/** As n8n's proxy agent says it. */
const isOfProxy = (message: unknown): boolean =>
	String(message).startsWith('Proxy connection ended');

/**
 * The address of the proxy that could not be reached, e.g. `proxy.example:3128`; empty if only the message tells
 * that it was a proxy; undefined if the connection was to the platform itself, as far as the error tells.
 */
function proxyOf(causes: RawError[], url: string): string | undefined {
	const { hostname: host, port, protocol } = new URL(url);
	const wantedHost = host.replace(/^\[|\]$/g, '');
	const wantedPort = Number(port || (protocol === 'http:' ? 80 : 443));
	for (const error of causes) {
		if (isOfProxy(error.message)) return '';
		if (error.syscall === 'getaddrinfo' && typeof error.hostname === 'string')
			return error.hostname === wantedHost ? undefined : error.hostname;
		if (error.syscall !== 'connect' || typeof error.port !== 'number') continue;
		const { address } = error;
		const isElsewhere = isIpAddress(wantedHost) && address !== wantedHost;
		if (error.port === wantedPort && !isElsewhere) return undefined;
		return `${String(address)}:${error.port}`;
	}
	return undefined;
}

const isIpAddress = (host: string): boolean => /^[\d.]+$/.test(host) || host.includes(':');
