import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../values/json';

/**
 * Reads what an answer says about its write. The API document shows neither error bodies nor the results of batches and
 * jobs. So a field counts by the meaning of its name and value, in any usual spelling. A field that does not speak
 * about the write is data.
 */

/** `waiting`: not done yet. `unclear`: the field speaks about the write, but with a word that is not known here. */
type Verdict = 'done' | 'failed' | 'waiting' | 'unclear';

/** A field that speaks about a write. */
export interface Sign {
	name: string;
	value: unknown;
	verdict: Verdict;
	/** How many failed, if the field counts them. */
	count?: number;
}

const DONE_WORDS = new Set(
	`created inserted added updated modified changed replaced merged patched overwritten unchanged upserted ok okay
	success successful successfully succeeded done complete completed finished processed saved stored written applied
	committed persisted imported synced synchronized`.split(/\s+/),
);

/** A status with such a word is no success, wherever the word stands: `not_processed`, `completed_with_errors`. */
const FAILED_WORD =
	/^(?:fail|err|fatal|invalid|reject|den(?:y|ied)|refus|declin|abort|roll|revert|nothing$|not?$|never$|skip|ignor|conflict|duplicat|forbid|unauthor|unprocess|unsuccess|unable|disallow|timeout|malformed|violat|exception|discard|drop|nok$|ko$)/;

const WAITING_WORDS = new Set(
	'queued enqueued processing progress running waiting deferred postponed accepted received submitted started will would to partial partially incomplete'.split(
		' ',
	),
);

/** Statuses that say that nothing needed to be written. */
const UNCHANGED =
	/^(?:not_(?:modified|changed)|no_?op|no_content|no_changes?|(?:already_)?up_to_date)$/;

/** A longer text is a sentence or an address, not a status. Characters. */
const MAX_STATUS_LENGTH = 60;

/** The words of a name or a status in lower case: `statusCode` and `Status-Code` become `status_code`. */
export const snakeCase = (text: string): string =>
	text
		.replace(/([a-z\d])([A-Z])/g, '$1_$2')
		.replace(/([A-Z])(?=[A-Z][a-z])/g, '$1_')
		.replace(/[^A-Za-z\d]+/g, '_')
		.replace(/^_|_$/g, '')
		.toLowerCase();

/** The HTTP status that a value is or begins with: 201, `201`, `201 Created`. */
export function statusNumber(value: unknown): number | undefined {
	if (typeof value !== 'number' && typeof value !== 'string') return undefined;
	const [, digits] =
		/^(?:HTTP\S*\s)?([1-5]\d\d)(?:\s[\w\s]*)?$/.exec(String(value).slice(0, 100)) ?? [];
	return digits === undefined ? undefined : Number(digits);
}

/** What a status means: an HTTP status, a flag, or a few words; undefined if it is none of these. */
export function verdictOfStatus(value: unknown): Verdict | undefined {
	const status = statusNumber(value);
	if (status !== undefined && status >= 400) return 'failed';
	if (status !== undefined)
		return (status >= 200 && status < 300) || status === 304 ? 'done' : 'unclear';
	if (typeof value === 'boolean') return value ? 'done' : 'failed';
	if (typeof value === 'number') return 'unclear';
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	if (value.length > MAX_STATUS_LENGTH) return 'unclear';
	const statusWords = snakeCase(value).replace(
		/(?:without|no|zero)_(?:errors?|failures?|warnings?)/g,
		'',
	);
	if (UNCHANGED.test(statusWords)) return 'done';
	if (/^not_(?:yet_)?(?:started|finished|completed|done|ready)/.test(statusWords)) return 'waiting';
	const words = statusWords.split('_');
	if (words.some((word) => FAILED_WORD.test(word))) return 'failed';
	if (words.some((word) => WAITING_WORDS.has(word))) return 'waiting';
	return words.some((word) => DONE_WORDS.has(word)) ? 'done' : 'unclear';
}

/** A value that is nested deeper counts as filled. Levels. */
const MAX_EMPTY_DEPTH = 4;

/** Whether a field reports nothing: no value, false, 0, a word for these, or only such values. */
export function isEmptyOrZero(value: unknown, depth = 0): boolean {
	if (typeof value === 'object' && value !== null)
		return (
			depth < MAX_EMPTY_DEPTH &&
			Object.values(value).every((entry) => isEmptyOrZero(entry, depth + 1))
		);
	return (
		value === undefined || /^(?:0|false|no|none|null|ok|success)?$/i.test(String(value).trim())
	);
}

/** Names of fields that hold a status, as {@link snakeCase} writes them. */
const STATUS_NAME =
	/^(?:(?:http|item|op|operation|row|response|upsert|write|import|job|task|result|batch|sync|api|transaction)_)?(?:status|state|phase|outcome|result|verdict|conclusion)(?:_(?:code|text|name))?$|^(?:http|response)(?:_code)?$|^transaction$/;

/** Names of flags that are true if the write was done. */
const SUCCESS_NAME =
	/^(?:is_|was_)?(?:success|successful|succeeded|ok|okay|done|completed|saved|written|applied|commit|committed|persist|persisted|stored|imported|upserted|processed)$/;

/** Names of flags that are false if the write was not done; true does not say that it was. */
const ACCEPTED_NAME = /^(?:is_|was_)?(?:accepted|acknowledged|allowed|valid)$/;

/** Names of fields that report a failure, if they hold anything. */
const FAILURE_NAME =
	/(?:^|_)(?:err|errors?|fail(?:ed|ures?)?|invalid|reject(?:ed|ions?)?|violations?|exceptions?|faults?)(?:_|$)|^(?:is_|was_|num_)?(?:skipped|ignored|denied|declined|refused|aborted|cancell?ed|reverted|rolled_back|rollback|discarded|unprocessed)(?:_(?:count|rows|items|records))?$/;

/** Names of fields that only say where a report is. */
const LINK_NAME = /_(?:url|uri|href|links?|path|file|report)$/;

/** Names of flags that are true if nothing was to be written. */
const TRIAL_NAME =
	/^(?:is_)?(?:dry_?run|simulate|simulated|simulation|preview|preview_only|validate_only|validation_only|test_run|trial)$/;

const TRIAL_MODE = /dry|simul|preview|validat/i;

/** Names of fields by which a record of the shop says that it was not written. Its other errors may be data. */
const RECORD_FAILURE =
	/^(?:error|errors|violations|(?:\w+_)?(?:user|field|input|validation)_errors)$/;

const RECORD_SUCCESS = /^(?:success|ok)$/;

/** The fields that speak about a write: in an answer, an entry of it, or a job. */
export const signsOf = (fields: IDataObject): Sign[] =>
	Object.entries(fields).flatMap(([name, value]) => signOf(name, value) ?? []);

/** The fields by which a record of the shop says that it was not written. Its own status is data. */
export const signsOfRecord = (record: IDataObject): Sign[] =>
	signsOf(record).filter(({ name, verdict, count }) => {
		const plainName = snakeCase(name);
		const isFailure = RECORD_FAILURE.test(plainName) && count === undefined;
		return verdict === 'failed' && (isFailure || RECORD_SUCCESS.test(plainName));
	});

/** How fields are read, by their name. The first name that fits counts. */
const READINGS: ReadonlyArray<
	[fieldName: RegExp, read: (value: unknown, name: string) => Verdict | undefined]
> = [
	[STATUS_NAME, verdictOfStatus],
	// It may only repeat which action was asked for, so other words do not count.
	[/^(?:action|operation)$/, (value) => keepIf(verdictOfStatus(value), 'done', 'failed')],
	// It may be the product's own code.
	[/^code$/, (value) => (isStatusCode(value) ? verdictOfStatus(value) : undefined)],
	[SUCCESS_NAME, verdictOfFlag],
	[ACCEPTED_NAME, (value, name) => keepIf(verdictOfFlag(value, name), 'failed')],
	// One of the two is always false, so only true counts.
	[
		/^(?:is_|was_)?(?:created|updated)$/,
		(value, name) => keepIf(verdictOfFlag(value, name), 'done'),
	],
	[TRIAL_NAME, (value, name) => (verdictOfFlag(value, name) === 'done' ? 'failed' : undefined)],
	[/^mode$/, (value) => (TRIAL_MODE.test(String(value)) ? 'failed' : undefined)],
];

function signOf(name: string, value: unknown): Sign | undefined {
	const plainName = snakeCase(name.slice(0, MAX_STATUS_LENGTH));
	const [, read] = READINGS.find(([fieldName]) => fieldName.test(plainName)) ?? [];
	if (read !== undefined) {
		const verdict = read(value, plainName);
		return verdict && { name, value, verdict };
	}
	if (!FAILURE_NAME.test(plainName) || LINK_NAME.test(plainName) || isEmptyOrZero(value))
		return undefined;
	const count = /^\d+$/.test(String(value)) ? Number(value) : undefined;
	return { name, value, verdict: 'failed', count };
}

const keepIf = (verdict: Verdict | undefined, ...accepted: Verdict[]): Verdict | undefined =>
	accepted.find((acceptedVerdict) => acceptedVerdict === verdict);

const isStatusCode = (value: unknown): boolean =>
	statusNumber(value) !== undefined ||
	(typeof value === 'string' && DONE_WORDS.has(value.toLowerCase()));

/** Reads a flag, also as text. 1 and 0 count only if the name cannot be that of a count. */
function verdictOfFlag(value: unknown, name: string): Verdict | undefined {
	const isNumber = typeof value === 'number' || /^[01]$/.test(String(value));
	if (isNumber && !/^(?:is_|was_|success$|ok$)/.test(name)) return undefined;
	if (/^(?:true|yes|1)$/i.test(String(value))) return 'done';
	return /^(?:false|no|0)$/i.test(String(value)) ? 'failed' : undefined;
}

/** Whether a sign says that nothing at all was written: it was a trial, or the batch was rolled back. */
export const isTrial = ({ name, value }: Sign): boolean =>
	TRIAL_NAME.test(snakeCase(name)) ||
	name === 'mode' ||
	/^(?:is_|was_)?(?:commit|committed|applied|persist|persisted|saved|rolled_back|rollback|reverted)$/.test(
		snakeCase(name),
	) ||
	/^(?:rolled_back|rollback|reverted|aborted)$/.test(snakeCase(String(value)));

/** Names of objects in an answer that may hold what it says about its write. */
const WRAPPER_NAME =
	/^(?:data|http|transaction|result|response|body|outcome|status|state|value|output|payload|meta|job|summary|counts|totals|stats|statistics|progress|report|rows|records|products|import|task|attributes)$/;

/** How many levels of wrappers are looked into. */
const MAX_WRAPPERS = 3;

/**
 * The objects that may speak about a write: the answer or its entry itself, and the wrappers in it.
 *
 * @param isRecord whether an object is a record of the shop, which is read in another way
 */
export function wrappersIn(
	object: IDataObject,
	isRecord: (object: IDataObject) => boolean,
	depth = 0,
): IDataObject[] {
	if (depth === MAX_WRAPPERS) return [object];
	const inner = Object.entries(object).flatMap(([name, value]) =>
		WRAPPER_NAME.test(snakeCase(name.slice(0, MAX_STATUS_LENGTH))) &&
		isObject(value) &&
		!isRecord(value)
			? wrappersIn(value, isRecord, depth + 1)
			: [],
	);
	return [object, ...inner];
}
