import type { PlatformError, Problem } from './platformError';

/** What an operation says of itself for its error messages. */
export interface OperationFacts {
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

export type Say = (error: PlatformError, facts: OperationFacts) => ErrorText;

/** One row of the table: the first that fits speaks. */
export interface Row {
	status?: number | ((status: number) => boolean);
	code?: string;
	fits?: (error: PlatformError, facts: OperationFacts) => boolean;
	say: Say;
}

const idsOf = (error: PlatformError) =>
	Object.values(error.request.pathParams ?? {})
		.map((id) => `“${id}”`)
		.join(', ');

const when = (error: PlatformError) =>
	error.details.resumeAtMs === undefined
		? ''
		: ` It can go on at ${new Date(error.details.resumeAtMs).toISOString()}.`;

const tries = (error: PlatformError) =>
	(error.details.attempts ?? 1) > 1 ? ` after ${error.details.attempts} attempts` : '';

/** How the platform refuses what it has not released is not shown, so the usual reasons stay possible. */
const ifReleased = (error: PlatformError, { scope }: OperationFacts) => {
	if (error.details.status === 404)
		return ` If it is released for you, check the ID ${idsOf(error)}.`;
	if (error.details.status !== 403 || scope === undefined) return '';
	return ` If it is released for you, the key probably needs the scope ${scope}.`;
};

/** Answers with an error status (API document, "Errors"; what it does not show is HTTP's own meaning). */
export const REFUSALS: Row[] = [
	{
		status: 401,
		say: () => ({
			message: 'The API key was not accepted',
			description:
				'Check the API Key in the credential: sandbox and production use separate keys, and a key works only with its own Base URL.',
		}),
	},
	{
		fits: (error, facts) =>
			(facts.inDevelopment === true &&
				error.details.status !== 429 &&
				(error.details.status ?? 0) < 500) ||
			error.details.status === 501,
		say: (error, facts) => ({
			message: 'This endpoint is not released for this account',
			description: `The platform marks it as in development and announces it in its changelog.${facts.meanwhile === undefined ? '' : ` ${facts.meanwhile}`}${ifReleased(error, facts)}`,
		}),
	},
	{
		status: 403,
		say: (_error, { scope, permission }) => ({
			message: 'The API key is not allowed to do this',
			description:
				permission !== undefined
					? permission
					: scope === undefined
						? 'The key lacks a permission. Create a key with more scopes in the back office (Developers, Advanced mode).'
						: `The operation probably needs the scope ${scope}. Create a key that has it in the back office (Developers, Advanced mode).`,
		}),
	},
	{
		status: 404,
		fits: (error) => idsOf(error) !== '',
		say: (error, { noun }) => ({
			message: `The ${noun} ${idsOf(error)} was not found`,
			description:
				'Check the ID. It may have been deleted, or belong to the other environment (sandbox or production).',
		}),
	},
	{
		status: 404,
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
		say: () => ({
			message: 'The platform refused a parameter',
			description: 'Check the filters, the sort field and the values of this node.',
		}),
	},
	{
		status: 413,
		say: () => ({ message: 'The request is too large', description: 'Send less in one request.' }),
	},
	{
		status: (status) => status >= 500,
		say: (error) => ({
			message: `The platform had a fault (HTTP ${error.details.status})${tries(error)}`,
			description: 'Try again later. If it stays, tell the platform’s support the request ID.',
		}),
	},
	{
		say: (error) => ({
			message: `The platform refused the request (HTTP ${error.details.status})`,
			description: 'Check the values of this node.',
		}),
	},
];

const NETWORK_REASONS: Record<string, string> = {
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
export const OTHERS: Record<Exclude<Problem, 'refused'>, Say> = {
	'budget-spent': (error) => ({
		message: error.details.day
			? 'The request budget of this API key is spent for today'
			: `The platform is rate limiting this API key${tries(error)}`,
		description: `The plan’s requests per minute or per UTC day are used up.${when(error)} Fewer requests, a larger plan or a capacity package help.`,
	}),
	'budget-kept': (error) => ({
		message: 'Stopped to keep the daily budget',
		description: `${error.details.hint ?? ''}${when(error)} Lower “Keep Daily Budget (%)” to go further.`,
	}),
	unreachable: (error) => ({
		message: `The platform at ${error.request.host} could not be reached${tries(error)}`,
		description: `Reason: ${NETWORK_REASONS[error.details.networkCode ?? ''] ?? 'the connection failed'}. Check the Base URL in the credential and this machine’s network.`,
	}),
	timeout: (error) => ({
		message: `The platform did not answer in time${tries(error)}`,
		description: `No complete answer came within ${Math.round((error.details.timeoutMs ?? 0) / 1000)} s. Try again later, or raise the timeout in the Request Options.`,
	}),
	'not-json': (error) => ({
		message: 'The answer is not from the Commerce Platform API',
		description: `${error.request.host} answered with something other than JSON, e.g. a web page. Check the Base URL in the credential.`,
	}),
	'broken-json': (error) => ({
		message: `The platform’s answer could not be read${tries(error)}`,
		description:
			'Its JSON is damaged or was cut off. Try again; if it stays, tell the platform’s support the request ID.',
	}),
	empty: () => ({
		message: 'The platform’s answer is empty',
		description:
			'A record was expected. Try again; if it stays, tell the platform’s support the request ID.',
	}),
	redirect: (error) => ({
		message: 'The platform’s address redirects elsewhere',
		description: `The redirect${error.details.location === undefined ? '' : ` to ${error.details.location}`} was not followed, so that the API key stays with its host. Check the Base URL in the credential.`,
	}),
	'too-large': () => ({
		message: 'The platform’s answer is too large',
		description: 'It is larger than 50 MB, far more than a page of records. Use a lower limit.',
	}),
	'bad-page': (error) => ({
		message: 'The list could not be read to its end',
		description: error.details.hint ?? 'The platform sent a page that is none.',
	}),
};
