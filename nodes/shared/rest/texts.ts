import { inWords, isZone, localTime } from '../values/dates';
import { isLoopbackHost } from './credential';
import { documentedCode } from './errorBody';
import { type PlatformError, type Problem, type ProblemDetails, saysNotFound } from './errors';
import { networkErrorOf } from './network';
import {
	type ErrorContext,
	idsOf,
	isNotReleased,
	type Refusal,
	REFUSALS,
	scopeNeeded,
	scopesInMessage,
	WEB_PAGE,
} from './refusals';

/**
 * The texts for all problems but `refused`. The first sentence says what happened, the others what to do. `wordsOf`
 * fills the names in braces.
 */
export const PROBLEMS: Record<Exclude<Problem, 'refused'>, string> = {
	'budget-spent':
		'{budgetSpent}. The plan’s requests per minute or per UTC day are used up.{goOn} Fewer requests, a larger plan or a capacity package help.',
	'budget-kept':
		'Stopped to keep the daily budget. {hint}{goOn} Lower “Keep Daily Budget (%)” to go further.',
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
		'The platform refused the whole batch (HTTP {status}). None of its items was written. Lower “Batch Size” to find out which item it is about. If every batch is refused, the endpoint may not be released for this account: it is in development.',
	'operation-refused': 'The platform refused this {noun}. {hint} Check its values.',
	'not-confirmed':
		'It is not confirmed that this {noun} was written. {hint} It may be written or not. Run it again: that writes the same values again.',
};

/**
 * The text for a failed request: what happened, and what to do.
 *
 * @param context names the resource
 */
export function textOf(error: PlatformError, context: ErrorContext) {
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
	const reason = reasonOf(error, context);
	if (reason === undefined) return words;
	// Of most errors only the message travels: to a mail, a caller, a report.
	return { message: reason, description: `${words.message}. ${words.description}` };
}

/** Statuses with which the platform refuses what was asked for, and may say why. */
const REASONED = [400, 404, 409, 422];

/** The platform's own reason with the record, e.g. `Order ord_104: not enough stock (HTTP 422)`. */
function reasonOf(error: PlatformError, context: ErrorContext): string | undefined {
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
		ifReleased:
			scope === undefined || details.status !== 403
				? checkIds(error)
				: ` If it is released for you, the key ${needsScope}.`,
	};
}

/** The words about the network: who could not be reached, why, and what to do. */
function networkWords({ request, details }: PlatformError): Record<string, string> {
	const { networkCode, server = request.host } = details;
	const { reason, remedy } = networkErrorOf(networkCode);
	const [host] = server.split(/:(?=\d+$)/);
	// A proxy has another address than the platform.
	const isProxy =
		host !== request.host.split(':')[0] &&
		!/^[\d.:[\]]+$/.test(request.host) &&
		!/^[\d.:]+$/.test(host);
	return {
		server: isProxy ? `The proxy at ${server}` : `The platform at ${request.host}`,
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
export function recordIn(error: PlatformError, { noun, about = [] }: ErrorContext): string {
	const ids = idsOf(error);
	if (ids !== '') return `the ${noun} ${ids}`;
	const { record } = error.request;
	if (record !== undefined) return `the ${noun} with the ${record}`;
	return about.length > 0 ? `the ${noun} (${about.join(', ')})` : `the ${noun}`;
}

/**
 * A 404 may also mean that the endpoint is not released: the API document does not show how such an endpoint refuses.
 * So the ID is worth a check as well.
 */
function checkIds(error: PlatformError): string {
	const ids = saysNotFound(error.details.status) ? idsOf(error) : '';
	return ids === '' ? '' : ` If it is released for you, check the ID ${ids}.`;
}

/** A longer message of the platform does not become the first line. Characters. */
const MAX_FIRST_LINE = 150;

/** E.g. ` It can go on in 8 s (16:45 Europe/Berlin).` */
function goOnText({ resumeAtMs, retryAfterMs }: ProblemDetails, timezone = ''): string {
	if (resumeAtMs === undefined || retryAfterMs === undefined) return '';
	const zone = isZone(timezone) ? timezone : 'UTC';
	const [day, time] = localTime(resumeAtMs, zone).split(' ');
	const date = retryAfterMs < 86_400_000 ? '' : `${day} `;
	return ` It can go on in ${inWords(retryAfterMs)} (${date}${time.slice(0, 5)} ${zone}).`;
}
