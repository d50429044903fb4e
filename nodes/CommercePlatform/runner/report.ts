import type { IDataObject, IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

import { isSame } from '../../shared/values/json';
import type { PlatformClient } from '../../shared/rest/client';
import { inWords } from '../../shared/values/dates';
import { addTo } from '../../shared/values/maps';

/** The least time between two messages about progress. ms. */
const PROGRESS_INTERVAL_MS = 2_000;

/** Shorter waits are not worth a message. ms. */
const NOTICED_WAIT_MS = 2_000;

/** A run of this many requests says at its end what it cost. */
const LONG_RUN_REQUESTS = 100;

/** A wait that a user notices. ms. */
const LONG_WAIT_MS = 10_000;

/** What a row writes. */
interface RowWrite {
	readonly row: number;
	readonly fields: IDataObject;
}

type Replaces = (later: IDataObject, earlier: IDataObject) => boolean;

/**
 * Says how far a run is: while it runs, to n8n's log and, in a run from the editor, to the browser's console; at
 * its end, by hints beside the output.
 */
export class Report {
	private readonly hints = new Set<string>();
	private lastProgressMs: number;
	private unsentRequests?: number;
	private unless = '';
	/** The Selected Fields, and whether a record has each. */
	private readonly selectedFields = new Map<string, boolean>();
	/** By target: the rows that write to it, and what, in their order. */
	private readonly writesByTarget = new Map<string, RowWrite[]>();
	private readonly rowsByHint = new Map<string, Set<number>>();
	/** The end of the wait that the user was told about, ms of the clock that cannot jump. */
	private waitsUntilMs = Number.NEGATIVE_INFINITY;

	constructor(
		private readonly context: IExecuteFunctions | IExecuteSingleFunctions,
		private readonly client: PlatformClient,
	) {
		this.lastProgressMs = client.clock.monotonic();
		client.onWait = (reason, ms) => this.waiting(reason, ms);
	}

	/**
	 * Counts requests that a dry run would have sent. Their cost is told at the end of the run.
	 *
	 * @param unless a sentence about when there would be more of them
	 */
	wouldSend(requests: number, unless = ''): void {
		this.unsentRequests = (this.unsentRequests ?? 0) + requests;
		this.unless = unless;
	}

	/** Notes which of the Selected Fields a record lacks, to tell of names that no record has. */
	selects(names: readonly string[], missing: readonly string[]): void {
		for (const name of names)
			if (!missing.includes(name)) this.selectedFields.set(name, true);
			else if (!this.selectedFields.has(name)) this.selectedFields.set(name, false);
	}

	/** Notes that a row writes to a target, to tell of rows that write to the same one. */
	writesTo(target: string, write: RowWrite): void {
		addTo(this.writesByTarget, target, write);
	}

	/**
	 * The mark of a row of which a later row replaces something.
	 *
	 * @param replaces whether what a later row writes replaces something of it; by default, if they differ
	 * @returns undefined if the row counts
	 */
	supersededBy(
		targets: readonly string[],
		{ row, fields }: RowWrite,
		replaces: Replaces = (later, earlier) => !isSame(later, earlier),
	): IDataObject | undefined {
		for (const writes of targets.map((target) => this.writesByTarget.get(target) ?? [])) {
			if (writes.length < 2 || isSame(writes.at(-1)?.fields, fields)) continue;
			const own = writes.findIndex((write) => write.row === row);
			const later = writes
				.slice(own + 1)
				.reverse()
				.find((write) => replaces(write.fields, fields));
			if (later !== undefined) return { superseded: true, countingRow: later.row };
		}
		return undefined;
	}

	/** Notes a row for a hint that ends with the numbers of its rows. */
	tellOfRow(hint: string, row: number): void {
		this.rowsByHint.set(hint, (this.rowsByHint.get(hint) ?? new Set()).add(row));
	}

	/** Says a sentence now, and shows it beside the output when the run has ended. */
	hint(text: string): void {
		if (this.hints.has(text)) return;
		this.hints.add(text);
		this.say(text);
	}

	/**
	 * Tells how far the run is.
	 *
	 * @param total undefined if it is not known
	 * @param what is counted, e.g. `products`
	 */
	progress(done: number, total: number | undefined, what: string): void {
		const nowMs = this.client.clock.monotonic();
		if (nowMs - this.lastProgressMs < PROGRESS_INTERVAL_MS) return;
		this.lastProgressMs = nowMs;
		const ofTotal = total === undefined ? '' : ` of ${counted(total)}`;
		this.say(
			`${counted(done)}${ofTotal} ${what}, ${counted(this.client.requestsSent)} requests so far`,
		);
	}

	/**
	 * Tells what was done when the user has stopped the execution. n8n then drops the node's output, hints and error, so
	 * only the log and the console can show it.
	 */
	cancelled(progress: string): void {
		this.say(
			`stopped. ${progress} What is done stays done. To continue, run it again, with 'Only If Changed' where there is that option: it sends only what is left`,
		);
	}

	/** Tells of a wait, once for all requests that wait for the same. */
	private waiting(reason: 'rateLimit' | 'retry', ms: number): void {
		const endsMs = this.client.clock.monotonic() + ms;
		if (ms < NOTICED_WAIT_MS || endsMs < this.waitsUntilMs + NOTICED_WAIT_MS) return;
		this.waitsUntilMs = endsMs;
		this.say(
			reason === 'rateLimit'
				? `waiting about ${inWords(ms)} for ${this.limitInWords()}`
				: `waiting ${inWords(ms)} before a request that failed is repeated`,
		);
	}

	private say(text: string): void {
		this.context.logger.info(`${this.context.getNode().name}: ${text}`);
		if ('sendMessageToUI' in this.context) this.context.sendMessageToUI(text);
	}

	/**
	 * Gives the hints to n8n. A long run also says what it cost and how long it waited, so that the user knows why it was
	 * slow.
	 *
	 * @param cheaperWay a sentence about an operation that needs fewer requests, if there is one
	 */
	end(cheaperWay?: string): void {
		const { requestsSent, waited } = this.client;
		const budget = this.client.rateLimit();
		if (requestsSent >= LONG_RUN_REQUESTS) {
			const { dayRemaining, dayPercent } = budget;
			const leftToday =
				dayRemaining === undefined || dayPercent === undefined
					? ''
					: ` ${counted(dayRemaining)} requests are left of today (${Math.floor(dayPercent)} %).`;
			this.hint(`This run sent ${counted(requestsSent)} requests.${leftToday}`);
			if (cheaperWay !== undefined) this.hint(cheaperWay);
		}
		const absent = [...this.selectedFields].filter(([, isThere]) => !isThere);
		if (absent.length > 0)
			this.hint(
				`No record has ${absent.map(([name]) => `“${name}”`).join(', ')} of 'Selected Fields'.`,
			);
		this.tellOfRows();
		const { rateLimitMs, retries, longestRetryWaitMs } = waited;
		const repeated = retries === 1 ? 'one request' : `${retries} requests`;
		if (rateLimitMs >= LONG_WAIT_MS)
			this.hint(
				`Waited ${inWords(rateLimitMs)} for ${this.limitInWords()}. Fewer requests, a larger plan or a capacity package help.`,
			);
		else if (longestRetryWaitMs >= LONG_WAIT_MS)
			this.hint(
				`This run repeated ${repeated} that failed, and waited up to ${inWords(longestRetryWaitMs)} for one of them. The platform had faults or was rate limiting.`,
			);
		if (this.unsentRequests !== undefined) {
			const cost = requestCost(this.unsentRequests, budget);
			this.hint(`Dry run: nothing was written. It would be ${cost}${this.unless}`);
		}
		if (!('addExecutionHints' in this.context)) return;
		for (const message of this.hints) this.context.addExecutionHints({ message, type: 'info' });
		this.hints.clear();
	}

	/** Tells of input that the user may not have meant. */
	private tellOfRows(): void {
		for (const [hint, rows] of this.rowsByHint) this.hint(`${hint} ${rowsInWords([...rows])}.`);
		const ofRecords = [...this.writesByTarget].filter(([, rows]) => shareField(rows));
		const rowsOfRecord = repeatedRows(new Map(ofRecords), ({ row }) => row);
		if (rowsOfRecord !== '')
			this.hint(
				`Several rows are about one record: ${rowsOfRecord}. Where they differ, the last of them counts.`,
			);
	}

	private limitInWords(): string {
		const { limit } = this.client.rateLimit();
		return limit === undefined
			? 'the platform’s rate limit'
			: `the platform’s limit of ${counted(limit)} requests a minute`;
	}
}

/** How many records, and how many rows of each, a hint names at most. */
const MAX_NAMED_TARGETS = 5;
const MAX_NAMED_ROWS = 5;

/** The rows that share a name, e.g. `rows 3 and 9; rows 4 and 5`; empty if there are none. */
export function repeatedRows<Entry>(
	byName: ReadonlyMap<string, Entry[]>,
	rowOf: (entry: Entry) => number,
): string {
	const repeated = [...byName.values()].filter((entries) => entries.length > 1);
	const namedRows = repeated
		.slice(0, MAX_NAMED_TARGETS)
		.map((entries) => rowsInWords(entries.map(rowOf)))
		.join('; ');
	return `${namedRows}${repeated.length > MAX_NAMED_TARGETS ? '; …' : ''}`;
}

/** Whether some of the rows of a record set one field. */
function shareField(rows: readonly RowWrite[]): boolean {
	if (rows.length < 2) return false;
	const names = rows.flatMap(({ fields }) => Object.keys(fields));
	return new Set(names).size < names.length;
}

/** e.g. `rows 3 and 9` */
function rowsInWords(rows: readonly number[]): string {
	if (rows.length === 1) return `row ${rows[0]}`;
	const firstRows = rows.slice(0, MAX_NAMED_ROWS);
	if (rows.length > MAX_NAMED_ROWS)
		return `rows ${firstRows.join(', ')} and ${rows.length - firstRows.length} more`;
	return `rows ${firstRows.slice(0, -1).join(', ')} and ${firstRows.at(-1)}`;
}

/** A number as it is written in a sentence. */
export const counted = (number: number): string => number.toLocaleString('en-US');

/** The smallest plan's budgets, which are also the sandbox's (API document, "Limits"). */
const STARTER = { limit: 100, dayLimit: 20_000 };

/**
 * What requests cost, in time and as a share of the day. The windows are fixed (API document, "Limits", 2): the
 * requests that are left in this minute go out at once, and every further minute takes a whole minute's budget.
 *
 * @param budget of the key, as far as headers of earlier answers gave it
 */
function requestCost(
	requests: number,
	budget: Partial<ReturnType<PlatformClient['rateLimit']>>,
): string {
	const limit = budget.limit || STARTER.limit;
	const dayLimit = budget.dayLimit || STARTER.dayLimit;
	const minutes = Math.ceil(Math.max(0, requests - (budget.remaining ?? limit)) / limit);
	const percentOfDay = Math.round((10_000 * requests) / dayLimit) / 100;
	const fitsToday = requests <= (budget.dayRemaining ?? dayLimit);
	const time = minutes === 0 ? 'less than a minute' : `about ${several(minutes, 'minute')}`;
	const isAssumed = budget.limit === undefined || budget.dayLimit === undefined;
	const plan = isAssumed
		? ' (with the limits of the Starter plan, as this key’s own are not known yet)'
		: '';
	const day = fitsToday ? '' : ' That is more than what is left of today.';
	return `${several(requests, 'request')}, ${time} at the present limits and ${percentOfDay} % of a day’s requests${plan}.${day}`;
}

const several = (number: number, noun: string) =>
	`${counted(number)} ${noun}${number === 1 ? '' : 's'}`;
