import { DAY_MS, inWords, isZone, localTime } from '../values/dates';
import { isLoopbackHost } from './credential';
import { documentedCode, isInDevelopment, mayBeNotThere } from './errorBody';
import { type PlatformError, type Problem, type ProblemDetails, saysNotFound } from './errors';
import { networkErrorOf } from './network';

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
interface Refusal {
	status?: (status: number) => boolean;
	code?: ReturnType<typeof documentedCode>;
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
const WEB_PAGE =
	'A web page came instead of the platform’s answer{statusToo}. A proxy, a firewall or a login page has answered, or the Base URL leads to a web site. Your API key may still be fine. Open {host} in a browser on this machine to see it, and ask your network’s administrator.';

/** The first that fits counts. The texts follow the API document ("Errors"), and HTTP where it shows nothing. */
export const REFUSALS: Refusal[] = [
	{
		status: (status) => status >= 500,
		fits: ({ details }) => details.isHtml === true,
		text: 'The platform, or a server before it, had a fault (HTTP {status}){attempts}. A web page came instead of the platform’s answer. Try again later. If it stays, ask your network’s administrator, then the platform’s support.',
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
		text: 'This endpoint is not released for this account. The platform marks it as in development and announces it in its changelog.{meanwhile} If it is released for you, check the scopes of the key and the ID.',
	},
	{
		status: isOneOf(403),
		fits: ({ details }) => details.isBare === true,
		text: 'The request was not allowed (HTTP 403). The answer does not show who refused it: a firewall may have, or the platform, for a permission that the key lacks. Ask your network’s administrator; the key’s permissions are listed in the back office (Developers, Advanced mode).',
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
function idsOf({ request }: PlatformError): string {
	const ids = Object.values(request.pathParams ?? {});
	return ids.map((id) => `“${id}”`).join(', ');
}

/** Names of scopes in the platform's message. */
const SCOPES = /\b[a-z]{2,30}\.(?:read|write|manage)\b/g;

const scopesInMessage = ({ details }: PlatformError): string[] =>
	details.platformMessage?.match(SCOPES) ?? [];

/**
 * The scope that the refused request needs: the only one that the platform names, else the one for this request. An
 * operation may send other requests too, which need other scopes.
 */
function scopeNeeded(error: PlatformError): string | undefined {
	const [scope, ...otherScopes] = new Set(scopesInMessage(error));
	return scope === undefined || otherScopes.length > 0 ? error.request.scope : scope;
}

/**
 * Whether a refusal says that the endpoint is not released. Any other refusal may be about the request, e.g. about a
 * value.
 */
function isNotReleased(error: PlatformError, context: ErrorContext): boolean {
	if (isInDevelopment(error.details)) return true;
	// Only writes are in development; the reads before them are released.
	if (context.inDevelopment === undefined || error.request.method === 'GET') return false;
	return scopesInMessage(error).length === 0 && mayBeNotThere(error.details);
}

/**
 * The texts for all problems but `refused`. The first sentence says what happened, the others what to do. `wordsOf`
 * fills the names in braces.
 */
export const PROBLEMS: Record<Exclude<Problem, 'refused'>, string> = {
	'budget-spent':
		'{budgetSpent}. The plan’s requests per minute or per UTC day are used up.{goOn} Fewer requests, a larger plan or a capacity package help.',
	'budget-kept':
		"Stopped to keep the daily budget. {hint}{goOn} Lower 'Keep Daily Budget (%)' to go further.",
	unreachable: '{server} could not be reached{attempts}. Reason: {reason}. {remedy}',
	'refused-by-n8n':
		'{n8nSays}. {n8nRemedy}n8n has stopped this request itself, and nothing was sent.',
	timeout:
		'The platform did not answer in time{attempts}. No complete answer came within {timeout} s. Try again later{orRaise}.',
	'not-json':
		'The answer is not from the Commerce Platform API. {host} answered with something other than JSON. Something on the way to the platform may have answered, or the Base URL in the credential belongs to something else.',
	'broken-json':
		'The platform’s answer could not be read{attempts}. Its JSON is damaged or was cut off. Try again; if it stays, tell the platform’s support the request ID.',
	'error-body':
		'The platform did not do what was asked. Its status was a success, but its body reports a failure.{lookFirst}',
	empty:
		'The platform’s answer is empty. A record was expected. Try again; if it stays, tell the platform’s support the request ID.',
	'no-secret':
		'The new webhook endpoint came without its signing secret. Without the secret its deliveries cannot be verified.',
	redirect:
		'The platform’s address redirects elsewhere. The redirect{redirect} was not followed, so that the API key stays with its host. Check the Base URL in the credential.',
	'too-large':
		'The platform’s answer is too large. It is larger than 16 MB, far more than one record should have. A page that is too large has been asked for with fewer records.',
	'bad-page': 'The list could not be read. {hint}',
	'batch-refused':
		"The platform refused the whole batch (HTTP {status}). None of its items was written. Lower 'Batch Size' to find out which item it is about. If every batch is refused, the endpoint may not be released for this account: it is in development.",
	'operation-refused':
		'The platform refused this {noun}. {hint} Check its values. If it was only busy, run it again.',
	'not-confirmed':
		'It is not confirmed that this {noun} was written. {hint} It may be written or not. Run it again: that writes the same values again.',
};

/** Puts a failed request into words: what happened, what to do, what the platform said, the request ID. */
export function errorText(error: PlatformError, context: ErrorContext) {
	const { platformMessage, code, requestId, hint = '', mayBeApplied } = error.details;
	const { message, description } = textOf(error, context);
	const isTold = platformMessage !== undefined && message.includes(platformMessage);
	const quoted = isTold ? code : (platformMessage ?? code);
	const parts = [
		description,
		description.includes(hint) ? '' : hint,
		mayBeApplied &&
			`The platform may have done it all the same: look at ${recordIn(error, context)} before you send it again.`,
		quoted && `The platform says: “${quoted}”${code && quoted !== code ? ` (${code})` : ''}.`,
		requestId && `Request ID: ${requestId}.`,
	];
	return { message, description: parts.filter(Boolean).join(' ') };
}

/**
 * The text for a failed request: what happened, and what to do.
 *
 * @param context names the resource
 */
function textOf(error: PlatformError, context: ErrorContext) {
	const { problem, details } = error;
	// A web page is never from the platform, whatever its status.
	const isPage = details.isHtml === true && (problem === 'not-json' || problem === 'budget-spent');
	if (isPage) return filled(WEB_PAGE, error, context);
	if (problem !== 'refused') return filled(PROBLEMS[problem], error, context);
	const { status = 0, code } = details;
	const { text, isAboutRequest } = REFUSALS.find(
		(refusal) =>
			(refusal.status?.(status) ?? true) &&
			(refusal.code === undefined || refusal.code === documentedCode(code)) &&
			(refusal.fits?.(error, context) ?? true),
	) as Refusal;
	const mayBeUnreleased = context.inDevelopment !== undefined && isAboutRequest === true;
	const words = filled(mayBeUnreleased ? `${text} ${IN_DEVELOPMENT}` : text, error, context);
	const reason = platformReason(error, context);
	if (reason === undefined) return words;
	// Of most errors only the message travels: to a mail, a caller, a report. Only a conflict needs explaining.
	const explained = status === 409 ? `${words.message}. ` : '';
	return { message: reason, description: explained + words.description };
}

/** Statuses with which the platform refuses what was asked for, and may say why. */
const REASONED = [400, 404, 409, 422];

/** The platform's own reason with the record, e.g. `Order ord_104: not enough stock (HTTP 422)`. */
function platformReason(error: PlatformError, context: ErrorContext): string | undefined {
	const { status = 0, platformMessage, isHtml } = error.details;
	const isUnknownId = saysNotFound(status) && error.request.method === 'GET';
	if (!REASONED.includes(status) || platformMessage === undefined || isHtml || isUnknownId)
		return undefined;
	if (isNotReleased(error, context)) return undefined;
	const record = recordIn(error, context).replace(/^the /, '');
	const reason = platformMessage.slice(0, MAX_FIRST_LINE).replace(/\.$/, '');
	return `${record.charAt(0).toUpperCase()}${record.slice(1)}: ${reason} (HTTP ${status})`;
}

/** Splits a text into its first sentence and the rest, and fills in the names. */
export function filled(text: string, error: PlatformError, context: ErrorContext) {
	const words = wordsOf(error, context);
	const fill = (template: string) =>
		template.replace(/\{(\w+)\}/g, (_all, name: string) => words[name]);
	const [first, ...others] = text.split(/(?<!e\.g)\. /);
	return { message: fill(first), description: fill(others.join('. ')).trim() };
}

const IN_DEVELOPMENT =
	'The platform marks this endpoint as in development, so it may also not be released for this account yet.{meanwhile}';

/** The words for the names in braces. A word that may be empty begins with a blank. */
function wordsOf(error: PlatformError, context: ErrorContext): Record<string, string> {
	const { details, request } = error;
	const isRead = request.method === 'GET';
	const attempts = (details.attempts ?? 1) > 1 ? ` after ${details.attempts} attempts` : '';
	const scope = scopeNeeded(error);
	const isNamed = scopesInMessage(error).some((name) => name === scope);
	const needsScope = `${isNamed ? 'needs' : 'probably needs'} the scope ${scope}`;
	return {
		noun: context.noun,
		host: request.host,
		path: request.path,
		ids: idsOf(error),
		status: String(details.status),
		hint: details.hint ?? '',
		attempts,
		needsScope,
		goOn: goOnText(details, context.timezone),
		orRaise: details.isFixedTime ? '' : ', or raise the timeout in the Request Options',
		timeout: String(Math.round((details.timeoutMs ?? 0) / 1000)),
		...networkWords(error),
		n8nSays: details.refusal?.message.replace(/\.$/, '') ?? '',
		n8nRemedy: sentence(details.refusal?.description),
		statusToo: details.status === undefined ? '' : ` (HTTP ${details.status})`,
		redirect: details.location === undefined ? '' : ` to ${details.location}`,
		lookFirst: isRead ? '' : ` Look at ${recordIn(error, context)} before you send it again.`,
		checked: isRead ? 'the filters, the sort field and the values' : 'the values',
		budgetSpent: details.day
			? 'The request budget of this API key is spent for today'
			: `The platform is rate limiting this API key${attempts}`,
		permission:
			context.permission ??
			'The key lacks a permission. Create a key with more scopes in the back office (Developers, Advanced mode).',
		meanwhile: context.inDevelopment === undefined ? '' : ` ${context.inDevelopment}`,
	};
}

/** The words about the network: who could not be reached, why, and what to do. A proxy shows by host and port. */
function networkWords({ request, details }: PlatformError): Record<string, string> {
	const { networkCode, server = request.host } = details;
	const { reason, remedy } = networkErrorOf(networkCode);
	const [host] = server.split(/:(?=\d+$)/);
	return {
		server: `The platform at ${request.host}`,
		reason: `${reason}${networkCode === undefined ? '' : ` (${networkCode} at ${server})`}`,
		remedy:
			isLoopbackHost(host) && networkCode === 'ECONNREFUSED' ? `${remedy} ${IN_CONTAINER}` : remedy,
	};
}

const IN_CONTAINER =
	'If n8n runs in a Docker container, localhost is the container itself: use host.docker.internal or the service’s name.';

/** Makes a sentence of a text, with a blank after it; empty if there is no text. */
const sentence = (text = ''): string => (text === '' ? '' : `${text.replace(/\.$/, '')}. `);

/** Names the record that a request is about, e.g. `the order “ord_1”`. The user may see nothing but the message. */
function recordIn(error: PlatformError, { noun, about = [] }: ErrorContext): string {
	const ids = idsOf(error);
	if (ids !== '') return `the ${noun} ${ids}`;
	const { record } = error.request;
	if (record !== undefined) return `the ${noun} with the ${record}`;
	return about.length > 0 ? `the ${noun} (${about.join(', ')})` : `the ${noun}`;
}

/** A longer message of the platform does not become the first line. Characters. */
const MAX_FIRST_LINE = 150;

/** E.g. ` It can go on in 8 s (16:45 Europe/Berlin).` */
function goOnText({ resumeAtMs, retryAfterMs }: ProblemDetails, timezone = ''): string {
	if (resumeAtMs === undefined || retryAfterMs === undefined) return '';
	const zone = isZone(timezone) ? timezone : 'UTC';
	const [day, time] = localTime(resumeAtMs, zone).split(' ');
	const date = retryAfterMs < DAY_MS ? '' : `${day} `;
	return ` It can go on in ${inWords(retryAfterMs)} (${date}${time.slice(0, 5)} ${zone}).`;
}
