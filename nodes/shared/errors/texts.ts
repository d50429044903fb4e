import { scopeOf } from '../model/scopes';
import { inWords } from '../values/dates';
import { documentedCode, type DocumentedCode, isInDevelopment } from './errorBody';
import { type PlatformError, type Problem, type ProblemDetails, saysNotFound } from './errors';

/** What error messages may say of the operation that failed. */
export interface ErrorContext {
	/** The resource in the user's words, e.g. `order`. */
	noun: string;
	/** What the platform asks for beyond a scope, as a sentence. */
	permission?: string;
	/** Of an endpoint that the platform may not have released for this account yet: what to do meanwhile. */
	inDevelopment?: string;
}

/** The system's words for a connection that never came about, so that nothing can have been sent over it. */
export const NOT_CONNECTED: Record<string, string> = {
	ENOTFOUND: 'its host name does not exist',
	EAI_AGAIN: 'its host name could not be looked up',
	ECONNREFUSED: 'nothing accepts connections there',
	EHOSTUNREACH: 'there is no way to this host',
	ENETUNREACH: 'there is no way to this network',
	CERT_HAS_EXPIRED: 'its TLS certificate has expired',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its TLS certificate is self-signed',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its TLS certificate cannot be verified',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another host',
};

/** What the system's words for a connection error mean. */
export const NETWORK_REASONS: Record<string, string> = {
	...NOT_CONNECTED,
	ECONNRESET: 'the connection was closed before an answer came',
};

/**
 * Everything but an answer with an error status. A text says what happened in its first sentence, then what to do;
 * `wordsOf` fills the names in braces.
 */
export const PROBLEMS: Record<Exclude<Problem, 'refused'>, string> = {
	'budget-spent':
		'{budgetSpent}. The plan’s requests per minute or per UTC day are used up.{goOn} Fewer requests, a larger plan or a capacity package help.',
	'budget-kept':
		'Stopped to keep the daily budget. {hint}{goOn} Lower “Keep Daily Budget (%)” to go further.',
	unreachable:
		'The platform at {host} could not be reached{attempts}. Reason: {reason}. Check the Base URL in the credential and this machine’s network.',
	timeout:
		'The platform did not answer in time{attempts}. No complete answer came within {timeout} s. Try again later, or raise the timeout in the Request Options.',
	'not-json':
		'The answer is not from the Commerce Platform API. {host} answered with something other than JSON, e.g. a web page. Check the Base URL in the credential.',
	'broken-json':
		'The platform’s answer could not be read{attempts}. Its JSON is damaged or was cut off. Try again; if it stays, tell the platform’s support the request ID.',
	'error-body':
		'The platform answered with an error. Its status said success, but its body says that the request failed.{lookFirst}',
	empty:
		'The platform’s answer is empty. A record was expected. Try again; if it stays, tell the platform’s support the request ID.',
	'no-secret':
		'The new webhook endpoint came without its signing secret. Without the secret its deliveries cannot be verified.',
	redirect:
		'The platform’s address redirects elsewhere. The redirect{redirect} was not followed, so that the API key stays with its host. Check the Base URL in the credential.',
	'too-large':
		'The platform’s answer is too large. It is larger than 16 MB or holds more than a million lists and objects, far more than one record should have. A page that is too large has been asked for with fewer records.',
	'bad-page': 'The list could not be read to its end. {hint}',
	'batch-refused':
		'The platform refused the whole batch (HTTP {status}). None of its items was written. Lower “Batch Size” to find out which product it is about. If every batch is refused, the endpoint may not be released for this account: it is in development.',
	'operation-refused': 'The platform refused this {noun}. {hint} Check its values.',
	'not-confirmed':
		'It is not confirmed that this {noun} was written. {hint} It may be written or not. Run it again: that writes the same values again.',
	'job-failed':
		'The import job failed, or it is not confirmed that it wrote all products. {hint} Some of them may be written.',
};

/** An answer with an error status. */
interface Refusal {
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

/** The first that fits counts (API document, "Errors"; for what it does not show, the meaning in HTTP). */
export const REFUSALS: Refusal[] = [
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
		fits: (error) => idsOf(error) !== '' && error.details.isHtml !== true,
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
		text: 'The platform does not know this address. Nothing answers at {path} there. Check the Base URL in the credential.',
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
function idsOf({ request }: PlatformError): string {
	const ids = Object.values(request.pathParams ?? {});
	return ids.map((id) => `“${id}”`).join(', ');
}

/** Names of scopes, as the platform's own words may hold them. */
const SCOPES = /\b[a-z]{2,30}\.(?:read|write|manage)\b/g;

const scopesSaid = ({ details }: PlatformError): string[] =>
	details.platformMessage?.match(SCOPES) ?? [];

/** An operation may send several requests: what the refused one needs is named, where the platform does not name it. */
function scopeNeeded(error: PlatformError): string | undefined {
	const [said, ...others] = new Set(scopesSaid(error));
	return said === undefined || others.length > 0 ? scopeOf(error.request) : said;
}

/** Statuses that say by themselves that something is not there or not open. */
const CLOSED_STATUSES = new Set([403, 404, 405, 410]);

/** Any other refusal is about the request, e.g. a value that is not allowed, or may be. */
function isNotReleased(error: PlatformError, context: ErrorContext): boolean {
	if (isInDevelopment(error.details)) return true;
	// What is in development is a write; what its operation reads first is released.
	if (context.inDevelopment === undefined || error.request.method === 'GET') return false;
	return scopesSaid(error).length === 0 && CLOSED_STATUSES.has(error.details.status ?? 0);
}

/**
 * What happened and what to do, of a request that failed.
 *
 * @param context names the resource
 */
export function textOf(error: PlatformError, context: ErrorContext) {
	if (error.problem !== 'refused') return filled(PROBLEMS[error.problem], error, context);
	const { status = 0, code } = error.details;
	const { text, ofTheRequest } = REFUSALS.find(
		(one) =>
			(one.status?.(status) ?? true) &&
			(one.code === undefined || one.code === documentedCode(code)) &&
			(one.fits?.(error, context) ?? true),
	) as Refusal;
	const mayBeUnreleased = context.inDevelopment !== undefined && ofTheRequest === true;
	return filled(mayBeUnreleased ? `${text} ${IN_DEVELOPMENT}` : text, error, context);
}

/** A text of the table in two: its first sentence, and the others. */
export function filled(text: string, error: PlatformError, context: ErrorContext) {
	const words = wordsOf(error, context);
	const fill = (one: string) => one.replace(/\{(\w+)\}/g, (_all, name: string) => words[name]);
	const [first, ...others] = text.split(/(?<!e\.g)\. /);
	return { message: fill(first), description: fill(others.join('. ')).trim() };
}

const IN_DEVELOPMENT =
	'The platform marks this endpoint as in development, so it may also not be released for this account yet.{meanwhile}';

/** What stands for each name in braces; what may be left out begins with a blank. */
function wordsOf(error: PlatformError, context: ErrorContext): Record<string, string> {
	const { details, request } = error;
	const isRead = request.method === 'GET';
	const attempts = (details.attempts ?? 1) > 1 ? ` after ${details.attempts} attempts` : '';
	const scope = scopeNeeded(error);
	const isSaid = scopesSaid(error).some((one) => one === scope);
	const needsScope = `${isSaid ? 'needs' : 'probably needs'} the scope ${scope}`;
	return {
		noun: context.noun,
		host: request.host,
		path: request.path,
		ids: idsOf(error),
		status: String(details.status),
		hint: details.hint ?? '',
		attempts,
		needsScope,
		goOn: goOnText(details),
		timeout: String(Math.round((details.timeoutMs ?? 0) / 1000)),
		reason: NETWORK_REASONS[details.networkCode ?? ''] ?? 'the connection failed',
		redirect: details.location === undefined ? '' : ` to ${details.location}`,
		lookFirst: isRead ? '' : ' Look at the record before you send it again.',
		checked: isRead ? 'the filters, the sort field and the values' : 'the values',
		budgetSpent: details.day
			? 'The request budget of this API key is spent for today'
			: `The platform is rate limiting this API key${attempts}`,
		permission:
			context.permission ??
			'The key lacks a permission. Create a key with more scopes in the back office (Developers, Advanced mode).',
		meanwhile: context.inDevelopment === undefined ? '' : ` ${context.inDevelopment}`,
		ifReleased:
			scope === undefined || details.status !== 403
				? checkIds(error)
				: ` If it is released for you, the key ${needsScope}.`,
		notThere: namesWhatWasSent(error)
			? (details.platformMessage as string)
			: `There is no such ${context.noun}`,
	};
}

/** The API document does not show how an endpoint is refused that is not released: the usual reasons stay possible. */
function checkIds(error: PlatformError): string {
	const ids = saysNotFound(error.details.status) ? idsOf(error) : '';
	return ids === '' ? '' : ` If it is released for you, check the ID ${ids}.`;
}

/** Longer words of a platform are no first line of a message. Characters. */
const MAX_FIRST_LINE = 150;

/** Whether the platform's own sentence names a value of the request, e.g. the SKU: nothing says it better. */
function namesWhatWasSent({ request, details: { platformMessage = '' } }: PlatformError): boolean {
	const sent: unknown[] = Object.values({ ...request.query, ...request.body });
	return (
		platformMessage.length <= MAX_FIRST_LINE &&
		sent.some((one) => typeof one === 'string' && one.length > 1 && platformMessage.includes(one))
	);
}

/** E.g. ` It can go on in 8 s (16:45 UTC).` */
function goOnText({ resumeAtMs, retryAfterMs }: ProblemDetails): string {
	if (resumeAtMs === undefined || retryAfterMs === undefined) return '';
	const at = new Date(resumeAtMs).toISOString();
	const day = retryAfterMs < 86_400_000 ? '' : `${at.slice(0, 10)} `;
	return ` It can go on in ${inWords(retryAfterMs)} (${day}${at.slice(11, 16)} UTC).`;
}
