import { type ErrorContext, filled, PROBLEMS, REFUSALS } from '../../nodes/shared/rest/texts';
import { NETWORK_ERRORS, networkErrorOf } from '../../nodes/shared/rest/network';
import { PlatformError, type Problem } from '../../nodes/shared/rest/errors';
import { VARIES } from './sourceTexts';

/** A value that only a run knows is shown as an ellipsis. */
const CONTEXT: ErrorContext = { noun: VARIES };

/** Problems of a rate limit have two texts: one for the minute, one for the day. */
const DAYS: Partial<Record<Problem, boolean[]>> = { 'budget-spent': [false, true] };

const errorOf = (problem: Problem, details: PlatformError['details'] = {}) =>
	new PlatformError(
		problem,
		{ method: 'GET', path: VARIES, pathParams: { id: VARIES }, host: VARIES },
		details,
	);

/** Answers with an error status: the answer, the message, the remedy. */
export function refusals(): string[][] {
	return REFUSALS.map((refusal) => {
		const { message, description } = filled(refusal.text, errorOf('refused'), CONTEXT);
		return [answerOf(refusal), written(message), written(description)];
	});
}

/** All other problems: the message, the remedy. */
export function problems(): string[][] {
	const kinds = Object.keys(PROBLEMS) as Array<keyof typeof PROBLEMS>;
	return kinds.flatMap((problem) =>
		(DAYS[problem] ?? [false]).map((day) => {
			const refusal = { message: VARIES, description: '' };
			const error = errorOf(problem, { timeoutMs: 60_000, day, hint: VARIES, refusal });
			const { message, description } = filled(PROBLEMS[problem], error, CONTEXT);
			return [written(message), written(description)];
		}),
	);
}

/**
 * The reasons for “could not be reached”: codes, words, whether the node sends again, whether a write may have been
 * applied.
 */
export const networkErrors = (): string[][] =>
	[...NETWORK_ERRORS, networkErrorOf()].map((row) => [
		row.reason,
		row === networkErrorOf() ? 'any other' : codesOf(row.codes.source),
		row.isRetried ? 'yes' : 'no',
		row.canHaveArrived ? 'yes' : 'no',
		row.remedy,
	]);

/** The codes of a pattern, as it begins them. */
const codesOf = (pattern: string): string =>
	pattern
		.replaceAll(/[\^$?:()]/g, ' ')
		.split(/[|\s]+/)
		.filter(Boolean)
		.map((code) => `\`${code}\``)
		.join(', ');

function answerOf({ status, code, fits, text }: (typeof REFUSALS)[number]): string {
	const statuses = STATUSES.filter((one) => status?.(one) ?? false);
	const isPage = text.includes('A web page came');
	const anyStatus = isPage || fits === undefined ? 'any other' : 'in development';
	return [
		status === undefined ? anyStatus : '',
		statuses.includes(500) ? 'any 5xx' : statuses.join(', '),
		code === undefined ? '' : `\`${code}\``,
		isPage ? 'with a web page' : '',
	]
		.filter((part) => part !== '')
		.join(' ');
}

const STATUSES = [400, 401, 403, 404, 409, 410, 412, 413, 422, 500, 502, 503, 504];

/** Leaves out sentences that only appear if a run knows more. */
const written = (text: string): string =>
	text.replaceAll('undefined', VARIES).replace(/^… (?=[A-Z])/, '');
