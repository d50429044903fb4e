import { scopeOf } from '../model/scopes';
import { type DocumentedCode, isInDevelopment } from './errorBody';
import { type PlatformError, saysNotFound } from './errors';

/** What error messages may say of the operation that failed. */
export interface ErrorContext {
	/** The resource in the user's words, e.g. `order`. */
	noun: string;
	/** What the failed item is about, each part by itself, e.g. `order number “1041”` and `item 3`. */
	about?: readonly string[];
	/** The workflow's time zone, an IANA name. */
	timezone?: string;
	/** What the platform asks for beyond a scope, as a sentence. */
	permission?: string;
	/** Of an endpoint that the platform may not have released for this account yet: what to do meanwhile. */
	inDevelopment?: string;
}

/** An answer with an error status. */
export interface Refusal {
	status?: (status: number) => boolean;
	code?: DocumentedCode;
	fits?: (error: PlatformError, context: ErrorContext) => boolean;
	/** What was asked for is refused, not who asks or where. */
	ofTheRequest?: true;
	text: string;
}

const is =
	(...statuses: number[]) =>
	(status: number) =>
		statuses.includes(status);

/** Of a web page: something before the platform has answered, so that nothing is said of key, scopes and values. */
export const WEB_PAGE =
	'A web page came instead of the platform’s answer{statusToo}. A proxy, a firewall or a login page has answered, or the Base URL leads to a web site. The page says nothing of the API key. Open {host} in a browser on this machine to see it, and ask whoever runs the network.';

/** The first that fits counts (API document, "Errors"; for what it does not show, the meaning in HTTP). */
export const REFUSALS: Refusal[] = [
	{
		status: is(407),
		text: '{proxy} refused the request (HTTP 407). It asks for a name and a password. Write them into its address {proxyPlace}, e.g. http://name:password@proxy.example:3128.',
	},
	{
		status: (status) => status >= 500,
		fits: ({ details }) => details.isHtml === true,
		text: 'The platform, or a server before it, had a fault (HTTP {status}){attempts}. A web page came instead of the platform’s answer. Try again later. If it stays, ask whoever runs the network, then the platform’s support.',
	},
	{
		fits: ({ details }) => details.isHtml === true,
		ofTheRequest: true,
		text: WEB_PAGE,
	},
	{
		status: is(451),
		text: 'The request is blocked for legal reasons (HTTP 451). A firewall or filter on the way may have answered, or the platform itself. Ask whoever runs the network, then the platform’s support.',
	},
	{
		status: is(401),
		text: 'The API key was not accepted. Check the API Key in the credential: sandbox and production use separate keys, and a key works only with its own Base URL.',
	},
	{
		fits: isNotReleased,
		text: 'This endpoint is not released for this account. The platform marks it as in development and announces it in its changelog.{meanwhile}{ifReleased}',
	},
	{
		status: is(403),
		fits: ({ details }) => details.isBare === true,
		text: 'The request was not allowed (HTTP 403). The answer does not say who refused it: a firewall may have, or the platform, for a permission that the key lacks. Ask whoever runs the network; the key’s permissions stand in the back office (Developers, Advanced mode).',
	},
	{
		status: is(403),
		fits: (error) => scopeNeeded(error) !== undefined,
		// Where a workflow is published, n8n shows the first sentence only.
		text: 'The API key is not allowed to do this: it {needsScope}. Create a key that has it in the back office (Developers, Advanced mode).',
	},
	{
		status: is(403),
		text: 'The API key is not allowed to do this. {permission}',
	},
	{
		status: saysNotFound,
		fits: (error) => idsOf(error) !== '',
		text: 'The {noun} {ids} was not found. Check the ID. It may have been deleted, or belong to the other environment (sandbox or production).',
	},
	{
		status: saysNotFound,
		// The platform's own error, so the address is right: what the body names is not there.
		fits: ({ request, details }) => request.method !== 'GET' && details.code !== undefined,
		text: '{notThere}. Check what the fields name, e.g. SKU and location. It may not exist, or belong to the other environment (sandbox or production).',
	},
	{
		status: saysNotFound,
		text: 'The platform does not know this address. Nothing answers at {path} there. The Base URL in the credential may be wrong, or this endpoint is not open to the account.',
	},
	{
		status: is(409),
		code: 'INVALID_STATE_TRANSITION',
		text: 'The {noun} is in a state that does not allow this. Get the {noun}, look at its status and go on from there.',
	},
	{
		status: is(409),
		code: 'CONFLICT',
		text: 'The {noun} was changed in the meantime. The write was based on older data (updated_at or version). Read the current values and write again.',
	},
	{
		status: is(412),
		text: 'The {noun} was changed in the meantime. The version in If-Match is no longer the current one. Read the current values and write again.',
	},
	{
		status: is(409),
		ofTheRequest: true,
		text: 'The platform reports a conflict with the current data. Read the current values, then decide whether to write again.',
	},
	{
		status: is(400, 422),
		code: 'INVALID_PARAMETER',
		ofTheRequest: true,
		text: 'The platform refused a parameter. Check {checked} of this node.',
	},
	{
		status: is(413),
		text: 'The request is too large. Send less in one request.',
	},
	{
		status: (status) => status >= 500,
		text: 'The platform had a fault (HTTP {status}){attempts}. Try again later. If it stays, tell the platform’s support the request ID.',
	},
	{
		ofTheRequest: true,
		text: 'The platform refused the request (HTTP {status}). Check the values of this node.',
	},
];

/** The IDs in the request's path, as messages name them; nothing where there are none. */
export function idsOf({ request }: PlatformError): string {
	const ids = Object.values(request.pathParams ?? {});
	return ids.map((id) => `“${id}”`).join(', ');
}

/** Names of scopes, as the platform's own words may hold them. */
const SCOPES = /\b[a-z]{2,30}\.(?:read|write|manage)\b/g;

export const scopesSaid = ({ details }: PlatformError): string[] =>
	details.platformMessage?.match(SCOPES) ?? [];

/** An operation may send several requests: what the refused one needs is named, where the platform does not name it. */
export function scopeNeeded(error: PlatformError): string | undefined {
	const [said, ...others] = new Set(scopesSaid(error));
	return said === undefined || others.length > 0 ? scopeOf(error.request) : said;
}

/** Statuses that say by themselves that something is not there or not open. */
const CLOSED_STATUSES = new Set([403, 404, 405, 410]);

/** Any other refusal is about the request, e.g. a value that is not allowed, or may be. */
function isNotReleased(error: PlatformError, context: ErrorContext): boolean {
	if (isInDevelopment(error.details)) return true;
	// Only writes are in development. The reads before them are released.
	if (context.inDevelopment === undefined || error.request.method === 'GET') return false;
	return scopesSaid(error).length === 0 && CLOSED_STATUSES.has(error.details.status ?? 0);
}
