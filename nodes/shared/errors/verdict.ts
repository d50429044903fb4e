import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../values/json';

/**
 * What an answer says of a write. The API document shows neither error bodies nor the results of batches and jobs, so a
 * field is read by what its name and its value mean, in any usual spelling. A field that does not speak of the write is
 * data.
 */

/** `waiting`: not yet done. `unclear`: it speaks of the write, in a word that is not understood. */
type Verdict = 'done' | 'failed' | 'waiting' | 'unclear';

/** A field that speaks of a write. */
export interface Sign {
	name: string;
	value: unknown;
	verdict: Verdict;
	/** How many failed, where the field counts them. */
	count?: number;
}

const DONE_WORDS = new Set(
	`created inserted added updated modified changed replaced merged patched overwritten unchanged upserted ok okay
	success successful successfully succeeded done complete completed finished processed saved stored written applied
	committed persisted imported synced synchronized`.split(/\s+/),
);

/** Words that take “done” away, wherever they stand in a status: `not_processed`, `completed_with_errors`. */
const FAILED_WORD =
	/^(?:fail|err|fatal|invalid|reject|den(?:y|ied)|refus|declin|abort|roll|revert|nothing$|not?$|never$|skip|ignor|conflict|duplicat|forbid|unauthor|unprocess|unsuccess|unable|disallow|timeout|malformed|violat|exception|discard|drop|nok$|ko$)/;

const WAITING_WORDS = new Set(
	'queued enqueued processing progress running waiting deferred postponed accepted received submitted started will would to partial partially incomplete'.split(
		' ',
	),
);

/** A status that says that there was nothing to write. */
const UNCHANGED =
	/^(?:not_(?:modified|changed)|no_?op|no_content|no_changes?|(?:already_)?up_to_date)$/;

/** A longer text is a sentence or an address, and no status. Characters. */
const MAX_STATUS_LENGTH = 60;

/** The words of a name or a status, in small letters: `statusCode` and `Status-Code` are `status_code`. */
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

/** What a status says: an HTTP status, a flag, or a few words; undefined if it is none of these. */
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

/** Deeper, a value counts as filled. Levels. */
const MAX_EMPTY_DEPTH = 4;

/** Whether a field tells of nothing: no value, false, 0, a word for it, or only such values. */
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

/** Names of a status, as {@link snakeCase} writes them. */
const STATUS_NAME =
	/^(?:(?:http|item|op|operation|row|response|upsert|write|import|job|task|result|batch|sync|api|transaction)_)?(?:status|state|phase|outcome|result|verdict|conclusion)(?:_(?:code|text|name))?$|^(?:http|response)(?:_code)?$|^transaction$/;

/** Names of a flag that is true if the write was done. */
const SUCCESS_NAME =
	/^(?:is_|was_)?(?:success|successful|succeeded|ok|okay|done|completed|saved|written|applied|commit|committed|persist|persisted|stored|imported|upserted|processed)$/;

/** Names of a flag that is false if the write was not done, and says little where it is true. */
const ACCEPTED_NAME = /^(?:is_|was_)?(?:accepted|acknowledged|allowed|valid)$/;

/** Names of what tells of a failure, where it holds anything. */
const FAILURE_NAME =
	/(?:^|_)(?:err|errors?|fail(?:ed|ures?)?|invalid|reject(?:ed|ions?)?|violations?|exceptions?|faults?)(?:_|$)|^(?:is_|was_|num_)?(?:skipped|ignored|denied|declined|refused|aborted|cancell?ed|reverted|rolled_back|rollback|discarded|unprocessed)(?:_(?:count|rows|items|records))?$/;

/** Names of where a report is. */
const LINK_NAME = /_(?:url|uri|href|links?|path|file|report)$/;

/** Names of a flag that is true if nothing was to be written. */
const TRIAL_NAME =
	/^(?:is_)?(?:dry_?run|simulate|simulated|simulation|preview|preview_only|validate_only|validation_only|test_run|trial)$/;

const TRIAL_MODE = /dry|simul|preview|validat/i;

/** Names of errors by which a record of the shop tells that it was not written; it may hold other errors as data. */
const RECORD_FAILURE =
	/^(?:error|errors|violations|(?:\w+_)?(?:user|field|input|validation)_errors)$/;

const RECORD_SUCCESS = /^(?:success|ok)$/;

/** The fields that speak of a write, of an answer, of an entry of one, or of a job. */
export const signsOf = (fields: IDataObject): Sign[] =>
	Object.entries(fields).flatMap(([name, value]) => signOf(name, value) ?? []);

/** The fields by which a record of the shop says that it was not written. Its own status is data. */
export const signsOfRecord = (record: IDataObject): Sign[] =>
	signsOf(record).filter(({ name, verdict, count }) => {
		const plainName = snakeCase(name);
		const isFailure = RECORD_FAILURE.test(plainName) && count === undefined;
		return verdict === 'failed' && (isFailure || RECORD_SUCCESS.test(plainName));
	});

/** What the fields of some names say. The first name that fits counts. */
const READINGS: ReadonlyArray<
	[fieldName: RegExp, read: (value: unknown, name: string) => Verdict | undefined]
> = [
	[STATUS_NAME, verdictOfStatus],
	// It may be the one that was asked for.
	[/^(?:action|operation)$/, (value) => oneOf(verdictOfStatus(value), 'done', 'failed')],
	// It may be the product's own.
	[/^code$/, (value) => (isStatusCode(value) ? verdictOfStatus(value) : undefined)],
	[SUCCESS_NAME, verdictOfFlag],
	[ACCEPTED_NAME, (value, name) => oneOf(verdictOfFlag(value, name), 'failed')],
	// One of the two is false.
	[
		/^(?:is_|was_)?(?:created|updated)$/,
		(value, name) => oneOf(verdictOfFlag(value, name), 'done'),
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

const oneOf = (verdict: Verdict | undefined, ...taken: Verdict[]): Verdict | undefined =>
	taken.find((one) => one === verdict);

const isStatusCode = (value: unknown): boolean =>
	statusNumber(value) !== undefined ||
	(typeof value === 'string' && DONE_WORDS.has(value.toLowerCase()));

/** A flag, also as text; 1 and 0 where the name cannot be that of a count. */
function verdictOfFlag(value: unknown, name: string): Verdict | undefined {
	const isNumber = typeof value === 'number' || /^[01]$/.test(String(value));
	if (isNumber && !/^(?:is_|was_|success$|ok$)/.test(name)) return undefined;
	if (/^(?:true|yes|1)$/i.test(String(value))) return 'done';
	return /^(?:false|no|0)$/i.test(String(value)) ? 'failed' : undefined;
}

/** Whether a sign tells that nothing at all was written: a trial, or a batch that was taken back. */
export const isTrial = ({ name, value }: Sign): boolean =>
	TRIAL_NAME.test(snakeCase(name)) ||
	name === 'mode' ||
	/^(?:is_|was_)?(?:commit|committed|applied|persist|persisted|saved|rolled_back|rollback|reverted)$/.test(
		snakeCase(name),
	) ||
	/^(?:rolled_back|rollback|reverted|aborted)$/.test(snakeCase(String(value)));

/** Names of the objects that an answer puts around what it says of a write. */
const WRAPPER_NAME =
	/^(?:data|http|transaction|result|response|body|outcome|status|state|value|output|payload|meta|job|summary|counts|totals|stats|statistics|progress|report|rows|records|products|import|task|attributes)$/;

/** Levels of wrappers that are looked through. */
const MAX_WRAPPERS = 3;

/**
 * What speaks of a write in an answer or an entry of one: the object itself, and the wrappers in it.
 *
 * @param isRecord whether an object is a record of the shop, in which another reading holds
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
