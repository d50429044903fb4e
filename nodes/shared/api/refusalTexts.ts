import type { DocumentedCode } from '../model/errorCodes';
import { scopeOf } from '../model/scopes';
import type { ErrorContext, Say } from './errorContext';
import { saysNotFound } from './notFound';
import type { PlatformError, ProblemDetails } from './platformError';
import { afterAttempts } from './problemTexts';

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
