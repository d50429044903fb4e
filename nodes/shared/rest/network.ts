import type { IHttpRequestOptions } from 'n8n-workflow';

import type { Problem, ProblemDetails } from './errors';

/** How a connection error is handled, and what the user reads. */
interface NetworkError {
	/** The codes of Node.js and OpenSSL, as they begin. */
	codes: RegExp;
	/** The rest of the sentence “Reason: …”. */
	reason: string;
	/** What to do, as a sentence. */
	remedy: string;
	isRetried: boolean;
	/** Whether the platform may have received the request, so a write may have been applied. */
	canHaveArrived: boolean;
}

const HOST_AND_PORT = 'Compare host and port of the Base URL with what the platform gave you.';

/**
 * The errors of connections; the first row that fits counts. Retries, messages and the docs are made from this table.
 * If there was no connection, or TLS was not agreed on, nothing was sent: the request comes after both.
 */
export const NETWORK_ERRORS: readonly NetworkError[] = [
	{
		codes: /^ENOTFOUND$/,
		reason: 'its host name does not exist',
		remedy: 'Correct the host name in the Base URL of the credential.',
		isRetried: false,
		canHaveArrived: false,
	},
	{
		codes: /^ECONNREFUSED$/,
		reason: 'nothing accepts connections there',
		remedy: `The server is down, or listens elsewhere. ${HOST_AND_PORT}`,
		isRetried: true,
		canHaveArrived: false,
	},
	{
		codes:
			/^(?:connect ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/,
		reason: 'no connection was made in time',
		remedy: 'Check this machine’s network and name server, and whether the platform is up.',
		isRetried: true,
		canHaveArrived: false,
	},
	{
		codes: /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/,
		reason: 'it answers without TLS on this port, and the address begins with https',
		remedy: HOST_AND_PORT,
		isRetried: false,
		canHaveArrived: false,
	},
	{
		codes: /CERT|^ERR_(?:SSL|TLS)|^UNABLE_|SELF_SIGNED|^HOSTNAME_|_LENGTH_EXCEEDED$|^INVALID_|CRL/,
		reason: 'its TLS certificate is not trusted, or no common TLS was found',
		remedy:
			'Check this machine’s clock and the host name. For a certificate of your own authority or proxy, name its file in the environment variable NODE_EXTRA_CA_CERTS of n8n and restart n8n.',
		isRetried: false,
		canHaveArrived: false,
	},
	{
		codes: /^(?:ECONNRESET|EPIPE)$/,
		reason: 'the connection was closed before an answer came',
		remedy: 'Check this machine’s network, and whether the platform is up.',
		isRetried: true,
		canHaveArrived: true,
	},
];

/** The row for every other code. */
const OTHER_NETWORK_ERROR: NetworkError = {
	codes: /^/,
	reason: 'the connection failed',
	remedy: 'Check this machine’s network, and whether the platform is up.',
	isRetried: true,
	canHaveArrived: true,
};

/** The row of the table for a code. */
export const networkErrorOf = (code = ''): NetworkError =>
	NETWORK_ERRORS.find(({ codes }) => codes.test(code)) ?? OTHER_NETWORK_ERROR;

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
	target: Pick<IHttpRequestOptions, 'url'>,
): { budget: object; problem: Problem; details: ProblemDetails } {
	const causes = causesOf(error);
	const refusal = causes.find(
		(cause) => cause[NOT_RETRYABLE] === true || SSRF_NAME.test(String(cause.name)),
	);
	if (refusal !== undefined) {
		const [message, description] = [String(refusal.message), String(refusal.description ?? '')];
		const details = { neverSent: true, refusal: { message, description } } as const;
		return { budget: {}, problem: 'refused-by-n8n', details };
	}
	const networkCode = systemCodeOf(causes);
	const problem = TIMEOUT_CODES.has(networkCode ?? '') ? 'timeout' : 'unreachable';
	const details: ProblemDetails = { networkCode, server: serverOf(causes, target.url) };
	if (!canHaveArrived(networkCode, causes)) details.neverSent = true;
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

/** The system's code; OpenSSL's own one is in the message. A time-out while connecting gets a code of its own. */
function systemCodeOf(causes: RawError[]): string | undefined {
	const code = causes.map((error) => error.code).find((causeCode) => typeof causeCode === 'string');
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

/** The words of Node.js, and of n8n's proxy agent, before TLS is agreed on. */
const BEFORE_TLS =
	/disconnected before secure TLS connection was established|^Proxy connection ended/;

const isConnecting = (causes: RawError[]): boolean =>
	causes.some(
		({ syscall, message }) =>
			syscall === 'connect' || syscall === 'getaddrinfo' || BEFORE_TLS.test(String(message)),
	);

/** Which server the connection was to, as far as the error tells: a proxy's name and port differ from the platform's. */
function serverOf(causes: RawError[], url: string): string {
	const connection = causes.find(
		({ syscall }) => syscall === 'connect' || syscall === 'getaddrinfo',
	);
	const { hostname, port, protocol } = new URL(url);
	const host = connection?.hostname ?? connection?.address ?? hostname;
	const ownPort = port || (protocol === 'http:' ? 80 : 443);
	const shownPort = connection?.port ?? (host === hostname ? ownPort : undefined);
	return shownPort === undefined ? String(host) : `${String(host)}:${String(shownPort)}`;
}
