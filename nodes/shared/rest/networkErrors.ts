/**
 * How a connection error is handled: whether the request is sent again, whether it can have arrived, and what the user
 * reads.
 */
interface NetworkError {
	/** The system's codes for it, as Node.js gives them in an error's `code`. */
	codes: readonly string[];
	/** The rest of the sentence “Reason: …”. */
	reason: string;
	/** What to do, as a sentence. */
	remedy: string;
	/** Whether the request is sent again: `yes` as after any fault, `briefly` for some five seconds. */
	retry: 'yes' | 'briefly' | 'no';
	/** Whether the platform may have received the request, so a write may have been applied. */
	canHaveArrived: boolean;
}

const NETWORK = 'Check this machine’s network, and whether the platform is up.';
const HOST_AND_PORT = 'Compare host and port of the Base URL with what the platform gave you.';
const ASK_PLATFORM = 'Its owner has to mend it: tell the platform’s support.';
const TRUST =
	'If the certificate is meant to be trusted, as that of a company’s own authority or of a proxy that looks into TLS, write the authority’s certificate into a file, name the file in the environment variable NODE_EXTRA_CA_CERTS of n8n, and restart n8n.';

/**
 * The errors of connections. Retries, warnings, messages and the docs are made from this table. If there was no
 * connection, or TLS was not agreed on, nothing was sent: the request comes after both.
 */
export const NETWORK_ERRORS: readonly NetworkError[] = [
	{
		codes: ['ENOTFOUND'],
		reason: 'its host name does not exist',
		remedy: 'Correct the host name in the Base URL of the credential.',
		retry: 'briefly',
		canHaveArrived: false,
	},
	{
		codes: ['ECONNREFUSED'],
		reason: 'nothing accepts connections there',
		remedy: `The server is down, or listens elsewhere. ${HOST_AND_PORT}`,
		retry: 'briefly',
		canHaveArrived: false,
	},
	{
		codes: ['EAI_AGAIN'],
		reason: 'its host name could not be looked up',
		remedy: 'Check this machine’s network and its name server.',
		retry: 'yes',
		canHaveArrived: false,
	},
	{
		codes: ['EHOSTUNREACH', 'EHOSTDOWN'],
		reason: 'there is no way to this host',
		remedy: NETWORK,
		retry: 'yes',
		canHaveArrived: false,
	},
	{
		codes: ['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'],
		reason: 'there is no way to this network',
		remedy: NETWORK,
		retry: 'yes',
		canHaveArrived: false,
	},
	{
		codes: ['connect ETIMEDOUT'],
		reason: 'no connection came about in time',
		remedy: NETWORK,
		retry: 'yes',
		canHaveArrived: false,
	},
	{
		codes: ['DEPTH_ZERO_SELF_SIGNED_CERT'],
		reason: 'its TLS certificate is self-signed',
		remedy: TRUST,
		retry: 'no',
		canHaveArrived: false,
	},
	{
		codes: ['SELF_SIGNED_CERT_IN_CHAIN'],
		reason: 'its TLS certificate is of an authority that this machine does not know',
		remedy: TRUST,
		retry: 'no',
		canHaveArrived: false,
	},
	{
		codes: [
			'UNABLE_TO_GET_ISSUER_CERT',
			'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		],
		reason: 'the authority that issued its TLS certificate was not found',
		remedy: `The server may not send its whole chain of certificates: then its owner has to mend it. ${TRUST}`,
		retry: 'no',
		canHaveArrived: false,
	},
	{
		codes: ['CERT_HAS_EXPIRED'],
		reason: 'its TLS certificate has expired',
		remedy: `Check this machine’s clock. ${ASK_PLATFORM}`,
		retry: 'no',
		canHaveArrived: false,
	},
	{
		codes: ['CERT_NOT_YET_VALID'],
		reason: 'its TLS certificate is not valid yet',
		remedy: `Check this machine’s clock. ${ASK_PLATFORM}`,
		retry: 'no',
		canHaveArrived: false,
	},
	{
		codes: ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
		reason: 'its TLS certificate is for another host',
		remedy: 'Enter the host name that the certificate is for as the Base URL in the credential.',
		retry: 'no',
		canHaveArrived: false,
	},
	{
		codes: ['CERT_REVOKED'],
		reason: 'its TLS certificate was revoked',
		remedy: ASK_PLATFORM,
		retry: 'no',
		canHaveArrived: false,
	},
	{
		codes: [
			'CERT_UNTRUSTED',
			'CERT_REJECTED',
			'CERT_SIGNATURE_FAILURE',
			'CERT_CHAIN_TOO_LONG',
			'PATH_LENGTH_EXCEEDED',
			'INVALID_CA',
			'INVALID_PURPOSE',
			'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
			'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
			'ERROR_IN_CERT_NOT_BEFORE_FIELD',
			'ERROR_IN_CERT_NOT_AFTER_FIELD',
			'UNABLE_TO_GET_CRL',
			'CRL_HAS_EXPIRED',
			'CRL_NOT_YET_VALID',
			'CRL_SIGNATURE_FAILURE',
			'ERR_SSL_CERTIFICATE_VERIFY_FAILED',
			'ERR_SSL_EE_KEY_TOO_SMALL',
			'ERR_SSL_CA_MD_TOO_WEAK',
		],
		reason: 'its TLS certificate cannot be trusted',
		remedy: ASK_PLATFORM,
		retry: 'no',
		canHaveArrived: false,
	},
	{
		codes: [
			'ERR_SSL_WRONG_VERSION_NUMBER',
			'ERR_SSL_PACKET_LENGTH_TOO_LONG',
			'ERR_SSL_HTTP_REQUEST',
		],
		reason: 'it answers without TLS on this port, and the address begins with https',
		remedy: HOST_AND_PORT,
		retry: 'no',
		canHaveArrived: false,
	},
	{
		codes: [
			'ERR_SSL_UNSUPPORTED_PROTOCOL',
			'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
			'ERR_SSL_TLSV1_UNRECOGNIZED_NAME',
			'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
			'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
			'ERR_SSL_NO_PROTOCOLS_AVAILABLE',
		],
		reason: 'it and this machine found no TLS that both know',
		remedy: `TLS 1.2 or newer is needed. ${HOST_AND_PORT}`,
		retry: 'no',
		canHaveArrived: false,
	},
	{
		codes: ['ECONNRESET', 'EPIPE'],
		reason: 'the connection was closed before an answer came',
		remedy: NETWORK,
		retry: 'yes',
		canHaveArrived: true,
	},
	{
		codes: ['HPE_INVALID_CONSTANT'],
		reason: 'what answers there does not speak HTTP',
		remedy: HOST_AND_PORT,
		retry: 'no',
		canHaveArrived: true,
	},
];

/** The row for every other code. */
export const OTHER_NETWORK_ERROR: NetworkError = {
	codes: [],
	reason: 'the connection failed',
	remedy: NETWORK,
	retry: 'yes',
	canHaveArrived: true,
};

const byCode = new Map(NETWORK_ERRORS.flatMap((row) => row.codes.map((code) => [code, row])));

/** The row of the table for a code. */
export const networkErrorOf = (code: string | undefined): NetworkError =>
	byCode.get(code ?? '') ?? OTHER_NETWORK_ERROR;
