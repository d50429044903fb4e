import { type DocumentedCode, isInDevelopment } from './errorBody';
import { type PlatformError, saysNotFound } from './errors';

/** What error messages may say about the operation that failed. */
export interface ErrorContext {
	/** The resource in the user's words, e.g. `order`. */
	noun: string;
	/** The record that the failed item names, in parts, e.g. `order number “1041”`. */
	record?: readonly string[];
	/** What else tells the failed item from others, e.g. `item 3`. */
	about?: readonly string[];
	/** The workflow's time zone, an IANA name. */
	timezone?: string;
	/** What the platform requires beyond a scope, as a sentence. */
	permission?: string;
	/** If the platform may not have released the endpoint for this account yet: what the user can do until then. */
	inDevelopment?: string;
}

/** One kind of answer with an error status, and its text. */
export interface Refusal {
	status?: (status: number) => boolean;
	code?: DocumentedCode;
	fits?: (error: PlatformError, context: ErrorContext) => boolean;
	/** The refusal is about the request itself, not about who sends it or where to. */
	isAboutRequest?: true;
	text: string;
}

const isOneOf =
	(...statuses: number[]) =>
	(status: number) =>
		statuses.includes(status);

/** For a web page: something before the platform has answered, so it says nothing about the key, scopes and values. */
export const WEB_PAGE =
	'A web page came instead of the platform’s answer{statusToo}. A proxy, a firewall or a login page has answered, or the Base URL leads to a web site. Your API key may still be fine. Open {host} in a browser on this machine to see it, and ask whoever runs the network.';

/** The first that fits counts. The texts follow the API document ("Errors"), and HTTP where it shows nothing. */
export const REFUSALS: Refusal[] = [
	{
		status: (status) => status >= 500,
		fits: ({ details }) => details.isHtml === true,
		text: 'The platform, or a server before it, had a fault (HTTP {status}){attempts}. A web page came instead of the platform’s answer. Try again later. If it stays, ask whoever runs the network, then the platform’s support.',
	},
	{
		fits: ({ details }) => details.isHtml === true,
		isAboutRequest: true,
		text: WEB_PAGE,
	},
	{
		status: isOneOf(401),
		text: 'The API key was not accepted. It was revoked, has expired, or belongs to the other environment: sandbox and production use separate keys and addresses. Check it in the credential.',
	},
	{
		fits: isNotReleased,
		text: 'This endpoint is not released for this account. The platform marks it as in development and announces it in its changelog.{meanwhile}{ifReleased}',
	},
	{
		status: isOneOf(403),
		fits: ({ details }) => details.isBare === true,
		text: 'The request was not allowed (HTTP 403). The answer does not say who refused it: a firewall may have, or the platform, for a permission that the key lacks. Ask whoever runs the network; the key’s permissions are listed in the back office (Developers, Advanced mode).',
	},
	{
		status: isOneOf(403),
		fits: (error) => scopeNeeded(error) !== undefined,
		// When a workflow is published, n8n shows the first sentence only.
		text: 'The API key is not allowed to do this: it {needsScope}. Create a key that has it in the back office (Developers, Advanced mode).',
	},
	{
		status: isOneOf(403),
		text: 'The API key is not allowed to do this. {permission}',
	},
	{
		status: saysNotFound,
		fits: (error) => idsOf(error) !== '',
		text: 'The {noun} {ids} was not found. Check the ID. It may have been deleted, or belong to the other environment (sandbox or production).',
	},
	{
		status: saysNotFound,
		// The platform has answered, so the address is right. The body names something that does not exist.
		fits: ({ request, details }) => request.method !== 'GET' && details.code !== undefined,
		text: 'There is no such {noun}. Check what the fields name. It may not exist, or belong to the other environment (sandbox or production).',
	},
	{
		status: saysNotFound,
		text: 'The platform does not know this address. Nothing answers at {path} there. The Base URL in the credential may be wrong, or this endpoint is not open to the account.',
	},
	{
		status: isOneOf(409),
		code: 'INVALID_STATE_TRANSITION',
		text: 'The {noun} is in a state that does not allow this. Get the {noun}, look at its status and go on from there.',
	},
	{
		status: isOneOf(409),
		code: 'CONFLICT',
		text: 'The {noun} was changed in the meantime. The write was based on older data (updated_at or version). Read the current values and write again.',
	},
	{
		status: isOneOf(412),
		text: 'The {noun} was changed in the meantime. The version in If-Match is no longer the current one. Read the current values and write again.',
	},
	{
		status: isOneOf(409),
		isAboutRequest: true,
		text: 'The platform reports a conflict with the current data. Read the current values, then decide whether to write again.',
	},
	{
		status: isOneOf(400, 422),
		code: 'INVALID_PARAMETER',
		isAboutRequest: true,
		text: 'The platform refused a parameter. Check {checked} of this node.',
	},
	{
		status: isOneOf(413),
		text: 'The request is too large. Send less in one request.',
	},
	{
		status: (status) => status >= 500,
		text: 'The platform had a fault (HTTP {status}){attempts}. Try again later. If it stays, tell the platform’s support the request ID.',
	},
	{
		isAboutRequest: true,
		text: 'The platform refused the request (HTTP {status}). Check the values of this node.',
	},
];

/** The IDs in the request's path, as messages show them; empty if there are none. */
export function idsOf({ request }: PlatformError): string {
	const ids = Object.values(request.pathParams ?? {});
	return ids.map((id) => `“${id}”`).join(', ');
}

/** Names of scopes in the platform's message. */
const SCOPES = /\b[a-z]{2,30}\.(?:read|write|manage)\b/g;

export const scopesInMessage = ({ details }: PlatformError): string[] =>
	details.platformMessage?.match(SCOPES) ?? [];

/**
 * The scope that the refused request needs: the only one that the platform names, else the one for this request. An
 * operation may send other requests too, which need other scopes.
 */
export function scopeNeeded(error: PlatformError): string | undefined {
	const [scope, ...otherScopes] = new Set(scopesInMessage(error));
	return scope === undefined || otherScopes.length > 0 ? error.request.scope : scope;
}

/** Statuses that say without a code that something does not exist or is not open. */
const CLOSED_STATUSES = new Set([403, 404, 405, 410]);

/**
 * Whether a refusal says that the endpoint is not released. Any other refusal may be about the request, e.g. about a
 * value.
 */
export function isNotReleased(error: PlatformError, context: ErrorContext): boolean {
	if (isInDevelopment(error.details)) return true;
	// Only writes are in development; the reads before them are released.
	if (context.inDevelopment === undefined || error.request.method === 'GET') return false;
	return scopesInMessage(error).length === 0 && CLOSED_STATUSES.has(error.details.status ?? 0);
}
