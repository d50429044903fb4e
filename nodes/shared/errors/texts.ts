import { scopeOf } from '../model/scopes';
import type { DocumentedCode } from './errorBody';
import { type PlatformError, type Problem, type ProblemDetails, saysNotFound } from './errors';

/** What error messages may say of the operation that failed. */
export interface ErrorContext {
	/** The resource in the user's words, e.g. `order`. */
	noun: string;
	/** The scope that it probably needs, from the API document's groups. */
	scope?: string;
	/** What the platform asks for beyond a scope, as a sentence. */
	permission?: string;
	/** The platform may not have released the endpoint for this account yet. */
	inDevelopment?: boolean;
	/** What to do while the endpoint is not released. */
	meanwhile?: string;
}

/** What happened, and what to do about it. */
export interface ErrorText {
	message: string;
	description: string;
}

/** Puts one kind of error in words. */
export type Say = (error: PlatformError, context: ErrorContext) => ErrorText;

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
		description:
			'It is larger than 16 MB, far more than a page of records should have. Set a lower Page Size in the options.',
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

/** One row of the table; the first that fits gives the text. */
export interface Refusal {
	status?: number | ((status: number) => boolean);
	code?: DocumentedCode;
	fits?: (error: PlatformError, context: ErrorContext) => boolean;
	/** What was asked for is refused, not who asks or where. */
	ofTheRequest?: true;
	say: Say;
}

const idsOf = (error: PlatformError) =>
	Object.values(error.request.pathParams ?? {})
		.map((id) => `“${id}”`)
		.join(', ');

/** An operation may send several requests: what the refused one needs is named. */
const scopeNeeded = ({ request }: PlatformError, { scope }: ErrorContext) =>
	scopeOf(request) ?? scope;

/** The API document does not show how an endpoint is refused that is not released: the usual reasons stay possible. */
const ifReleased = (error: PlatformError, context: ErrorContext) => {
	const scope = scopeNeeded(error, context);
	const ids = idsOf(error);
	if (saysNotFound(error.details.status))
		return ids === '' ? '' : ` If it is released for you, check the ID ${ids}.`;
	if (error.details.status !== 403 || scope === undefined) return '';
	return ` If it is released for you, the key probably needs the scope ${scope}.`;
};

const FORBIDDEN = 'The API key is not allowed to do this';

/** Statuses that say by themselves that something is not there or not open. */
const CLOSED_STATUSES = new Set([403, 404, 405, 410]);

/** How a platform may put it that an endpoint is not released. */
const NOT_RELEASED =
	/development|unreleased|unavailable|not.{0,5}(released|available|supported|implemented|enabled)/i;

/** Any other refusal with words of its own is about the request, e.g. a value that is not allowed. */
function maySayNotReleased({
	status = 0,
	code = '',
	platformMessage = '',
}: ProblemDetails): boolean {
	if (CLOSED_STATUSES.has(status)) return true;
	if (status >= 500) return false;
	const words = `${code} ${platformMessage}`;
	return words.trim() === '' || NOT_RELEASED.test(words.replaceAll('_', ' '));
}

/** Answers with an error status (API document, "Errors"; for what it does not show, the meaning in HTTP). */
export const REFUSALS: Refusal[] = [
	{
		status: 401,
		say: () => ({
			message: 'The API key was not accepted',
			description:
				'Check the API Key in the credential: sandbox and production use separate keys, and a key works only with its own Base URL.',
		}),
	},
	{
		// What is in development is a write; what its operation reads first is released.
		fits: ({ details, request }, context) =>
			details.status === 501 ||
			(context.inDevelopment === true && request.method !== 'GET' && maySayNotReleased(details)),
		say: (error, context) => ({
			message: 'This endpoint is not released for this account',
			description: `The platform marks it as in development and announces it in its changelog.${context.meanwhile === undefined ? '' : ` ${context.meanwhile}`}${ifReleased(error, context)}`,
		}),
	},
	{
		status: 403,
		say: (error, context) => {
			const where = 'in the back office (Developers, Advanced mode).';
			const scope = scopeNeeded(error, context);
			if (scope === undefined && context.permission !== undefined)
				return { message: FORBIDDEN, description: context.permission };
			if (scope === undefined) {
				const description = `The key lacks a permission. Create a key with more scopes ${where}`;
				return { message: FORBIDDEN, description };
			}
			return {
				// Where a workflow is published, n8n shows the first line only.
				message: `${FORBIDDEN}: it probably needs the scope ${scope}`,
				description: `Create a key that has it ${where}`,
			};
		},
	},
	{
		status: saysNotFound,
		fits: (error) => idsOf(error) !== '' && error.details.isHtml !== true,
		say: (error, { noun }) => ({
			message: `The ${noun} ${idsOf(error)} was not found`,
			description:
				'Check the ID. It may have been deleted, or belong to the other environment (sandbox or production).',
		}),
	},
	{
		status: saysNotFound,
		// The platform's own error, so the address is right: what the body names is not there.
		fits: ({ request, details }) => request.method !== 'GET' && details.code !== undefined,
		say: (_error, { noun }) => ({
			message: `There is no such ${noun}`,
			description:
				'Check what the fields name, e.g. SKU and location. It may not exist, or belong to the other environment (sandbox or production).',
		}),
	},
	{
		status: saysNotFound,
		say: (error) => ({
			message: 'The platform does not know this address',
			description: `Nothing answers at ${error.request.path} there. Check the Base URL in the credential.`,
		}),
	},
	{
		status: 409,
		code: 'INVALID_STATE_TRANSITION',
		say: (_error, { noun }) => ({
			message: `The ${noun} is in a state that does not allow this`,
			description: `Get the ${noun}, look at its status and go on from there.`,
		}),
	},
	{
		status: 409,
		code: 'CONFLICT',
		say: (_error, { noun }) => ({
			message: `The ${noun} was changed in the meantime`,
			description:
				'The write was based on older data (updated_at or version). Read the current values and write again.',
		}),
	},
	{
		status: 412,
		say: (_error, { noun }) => ({
			message: `The ${noun} was changed in the meantime`,
			description:
				'The version in If-Match is no longer the current one. Read the current values and write again.',
		}),
	},
	{
		status: 409,
		say: () => ({
			message: 'The platform reports a conflict with the current data',
			description: 'Read the current values, then decide whether to write again.',
		}),
	},
	{
		status: (status) => status === 400 || status === 422,
		code: 'INVALID_PARAMETER',
		ofTheRequest: true,
		say: ({ request }) => ({
			message: 'The platform refused a parameter',
			description:
				request.method === 'GET'
					? 'Check the filters, the sort field and the values of this node.'
					: 'Check the values of this node.',
		}),
	},
	{
		status: 413,
		say: () => ({ message: 'The request is too large', description: 'Send less in one request.' }),
	},
	{
		status: (status) => status >= 500,
		say: (error) => ({
			message: `The platform had a fault (HTTP ${error.details.status})${afterAttempts(error)}`,
			description: 'Try again later. If it stays, tell the platform’s support the request ID.',
		}),
	},
	{
		ofTheRequest: true,
		say: (error) => ({
			message: `The platform refused the request (HTTP ${error.details.status})`,
			description: 'Check the values of this node.',
		}),
	},
];
