import type { Say } from './errorContext';
import type { PlatformError, Problem } from './platformError';

/** ` after 8 attempts`, or nothing where there was one. */
export const afterAttempts = (error: PlatformError) =>
	(error.details.attempts ?? 1) > 1 ? ` after ${error.details.attempts} attempts` : '';

const resumeTime = (error: PlatformError) =>
	error.details.resumeAtMs === undefined
		? ''
		: ` It can go on at ${new Date(error.details.resumeAtMs).toISOString()}.`;

/** What the system's words for a connection error mean. */
export const NETWORK_REASONS: Record<string, string> = {
	ENOTFOUND: 'its host name does not exist',
	EAI_AGAIN: 'its host name could not be looked up',
	ECONNREFUSED: 'nothing accepts connections there',
	ECONNRESET: 'the connection was closed before an answer came',
	EHOSTUNREACH: 'there is no way to this host',
	ENETUNREACH: 'there is no way to this network',
	CERT_HAS_EXPIRED: 'its TLS certificate has expired',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its TLS certificate is self-signed',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its TLS certificate cannot be verified',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another host',
};

/** Everything but an answer with an error status. */
export const PROBLEMS: Record<Exclude<Problem, 'refused'>, Say> = {
	'budget-spent': (error) => ({
		message: error.details.day
			? 'The request budget of this API key is spent for today'
			: `The platform is rate limiting this API key${afterAttempts(error)}`,
		description: `The plan’s requests per minute or per UTC day are used up.${resumeTime(error)} Fewer requests, a larger plan or a capacity package help.`,
	}),
	'budget-kept': (error) => ({
		message: 'Stopped to keep the daily budget',
		description: `${error.details.hint ?? ''}${resumeTime(error)} Lower “Keep Daily Budget (%)” to go further.`,
	}),
	unreachable: (error) => ({
		message: `The platform at ${error.request.host} could not be reached${afterAttempts(error)}`,
		description: `Reason: ${NETWORK_REASONS[error.details.networkCode ?? ''] ?? 'the connection failed'}. Check the Base URL in the credential and this machine’s network.`,
	}),
	timeout: (error) => ({
		message: `The platform did not answer in time${afterAttempts(error)}`,
		description: `No complete answer came within ${Math.round((error.details.timeoutMs ?? 0) / 1000)} s. Try again later, or raise the timeout in the Request Options.`,
	}),
	'not-json': (error) => ({
		message: 'The answer is not from the Commerce Platform API',
		description: `${error.request.host} answered with something other than JSON, e.g. a web page. Check the Base URL in the credential.`,
	}),
	'broken-json': (error) => ({
		message: `The platform’s answer could not be read${afterAttempts(error)}`,
		description:
			'Its JSON is damaged or was cut off. Try again; if it stays, tell the platform’s support the request ID.',
	}),
	'error-body': ({ request }) => ({
		message: 'The platform answered with an error',
		description: `Its status said success, but its body says that the request failed.${request.method === 'GET' ? '' : ' Look at the record before you send it again.'}`,
	}),
	empty: () => ({
		message: 'The platform’s answer is empty',
		description:
			'A record was expected. Try again; if it stays, tell the platform’s support the request ID.',
	}),
	'no-secret': (error) => ({
		message: 'The new webhook endpoint came without its signing secret',
		description: error.details.hint ?? 'Without the secret its deliveries cannot be verified.',
	}),
	redirect: (error) => ({
		message: 'The platform’s address redirects elsewhere',
		description: `The redirect${error.details.location === undefined ? '' : ` to ${error.details.location}`} was not followed, so that the API key stays with its host. Check the Base URL in the credential.`,
	}),
	'too-large': () => ({
		message: 'The platform’s answer is too large',
		description: 'It is larger than 50 MB, far more than a page of records has. Use a lower limit.',
	}),
	'bad-page': (error) => ({
		message: 'The list could not be read to its end',
		description: error.details.hint ?? 'A page of it is not in the form of a list.',
	}),
	'batch-refused': (error) => ({
		message: `The platform refused the whole batch (HTTP ${error.details.status})`,
		description: `${error.details.hint} Lower “Batch Size” to find out which product it is about. If every batch is refused, the endpoint may not be released for this account: it is in development.`,
	}),
	'operation-refused': (error, { noun }) => ({
		message: `The platform refused this ${noun}`,
		description: `${error.details.hint} Check its values.`,
	}),
	'not-confirmed': (error, { noun }) => ({
		message: `It is not confirmed that this ${noun} was written`,
		description: `${error.details.hint} It may be written or not. Run it again: that writes the same values again.`,
	}),
	'job-failed': (error) => ({
		message: 'The import job failed',
		description: `${error.details.hint} Some of its products may be written.`,
	}),
};
