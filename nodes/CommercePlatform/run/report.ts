import type { IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

import type { PlatformClient, Wait } from '../../shared/api/client';
import { inWords } from '../../shared/values/dates';

/** Between two messages about progress. ms. */
const PROGRESS_INTERVAL_MS = 2_000;

/** Shorter waits are not worth a message. ms. */
const NOTICED_WAIT_MS = 2_000;

/** Runs of this many requests say at their end what they cost. */
const LONG_RUN_REQUESTS = 100;

/** A wait that a user notices. ms. */
const LONG_WAIT_MS = 10_000;

/**
 * Says how far a run is: while it runs, to n8n's log and, in a run from the editor, to the browser's console; at
 * its end, by hints beside the output.
 */
export class Report {
	private readonly hints = new Set<string>();
	private saidAtMs: number;
	private unsentRequests?: number;
	private brokenTexts = 0;
	private readonly rowsByTarget = new Map<string, number[]>();
	private readonly rowsByHandle = new Map<string, number[]>();
	/** Until when the user has been told that the run waits, ms of the clock that can't jump. */
	private waitsUntilMs = Number.NEGATIVE_INFINITY;

	constructor(
		private readonly context: IExecuteFunctions | IExecuteSingleFunctions,
		private readonly client: PlatformClient,
	) {
		this.saidAtMs = client.clock.monotonic();
		client.onWait = (wait) => this.waiting(wait);
	}

	/** A dry run would have sent these requests; their cost is told at the run's end. */
	wouldSend(requests: number): void {
		this.unsentRequests = (this.unsentRequests ?? 0) + requests;
	}

	/** Texts that go out although they hold what a spreadsheet leaves of a broken cell. */
	sendsBroken(texts: number): void {
		this.brokenTexts += texts;
	}

	/** A row writes to a target, so that rows that write to the same one can be told. */
	writesTo(target: string, row: number): void {
		addRow(this.rowsByTarget, target, row);
	}

	/** A row is a product of its own with a handle, so that rows of one handle can be told. */
	hasHandle(handle: string, row: number): void {
		addRow(this.rowsByHandle, handle, row);
	}

	/** A sentence that is said at once, and stands beside the output when the run has ended. */
	hint(text: string): void {
		if (this.hints.has(text)) return;
		this.hints.add(text);
		this.say(text);
	}

	/**
	 * How far the run is now.
	 *
	 * @param total undefined where it is not known
	 * @param what is counted, e.g. `products`
	 */
	progress(done: number, total: number | undefined, what: string): void {
		const nowMs = this.client.clock.monotonic();
		if (nowMs - this.saidAtMs < PROGRESS_INTERVAL_MS) return;
		this.saidAtMs = nowMs;
		const of = total === undefined ? '' : ` of ${counted(total)}`;
		this.say(`${counted(done)}${of} ${what}, ${counted(this.client.requestsSent)} requests so far`);
	}

	/**
	 * The user has stopped the execution. n8n then drops the node's output, hints and error, so only the log and the
	 * console can say what was done.
	 */
	cancelled(done: number, total: number): void {
		this.say(
			`stopped when ${counted(done)} of ${counted(total)} items were done. What is done stays done. To go on, run it again, with “Only If Changed” where there is that option: it sends only what is left`,
		);
	}

	/** Requests that wait for the same are told of once. */
	private waiting({ reason, ms }: Wait): void {
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
	 * Gives the hints to n8n, with what a long run cost and how long it waited, so that a slow run explains itself.
	 *
	 * @param cheaperWay a sentence about an operation that needs fewer requests, where there is one
	 * @param orderOfRows which of several rows about one record counts, as a sentence
	 */
	end(cheaperWay?: string, orderOfRows = LAST_ROW_COUNTS): void {
		const { requestsSent, waited } = this.client;
		const budget = this.client.rateLimit();
		if (requestsSent >= LONG_RUN_REQUESTS) {
			const { dayRemaining, dayPercent } = budget;
			const left =
				dayRemaining === undefined || dayPercent === undefined
					? ''
					: ` ${counted(dayRemaining)} requests are left of today (${Math.floor(dayPercent)} %).`;
			this.hint(`This run sent ${counted(requestsSent)} requests.${left}`);
			if (cheaperWay !== undefined) this.hint(cheaperWay);
		}
		this.tellOfRows(orderOfRows);
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
			const { text } = requestCost(this.unsentRequests, budget);
			this.hint(`Dry run: nothing was written. It would be ${text}`);
		}
		if (!('addExecutionHints' in this.context)) return;
		for (const message of this.hints) this.context.addExecutionHints({ message, type: 'info' });
		this.hints.clear();
	}

	/** Says what of the input a user may not have meant. */
	private tellOfRows(orderOfRows: string): void {
		if (this.brokenTexts > 0)
			this.hint(
				`Texts that hold what a spreadsheet leaves of a broken cell, such as “#REF!” or “\ufffd”: ${counted(this.brokenTexts)}. They were sent as they stand.`,
			);
		const ofOneHandle = repeatedRows(this.rowsByHandle);
		if (ofOneHandle !== '')
			this.hint(
				`Several rows have one handle: ${ofOneHandle}. Each is a product of its own. To make one product of them, use Input Item and set “One Product Per” to Handle.`,
			);
		const ofOneRecord = repeatedRows(this.rowsByTarget);
		if (ofOneRecord !== '')
			this.hint(`Several rows are about one record: ${ofOneRecord}. ${orderOfRows}`);
	}

	private limitInWords(): string {
		const { limit } = this.client.rateLimit();
		return limit === undefined
			? 'the platform’s rate limit'
			: `the platform’s limit of ${counted(limit)} requests a minute`;
	}
}

const LAST_ROW_COUNTS = 'Where they differ, the last of them counts.';

/** A hint names the rows of this many records. */
const MAX_TOLD_TARGETS = 5;
const MAX_TOLD_ROWS = 5;

function addRow(rowsByName: Map<string, number[]>, name: string, row: number): void {
	const rows = rowsByName.get(name) ?? [];
	rows.push(row);
	rowsByName.set(name, rows);
}

/** The rows that share a name, e.g. `rows 3 and 9; rows 4 and 5`; empty where none do. */
function repeatedRows(rowsByName: ReadonlyMap<string, number[]>): string {
	const repeated = [...rowsByName.values()].filter((rows) => rows.length > 1);
	const namedRows = repeated.slice(0, MAX_TOLD_TARGETS).map(rowsInWords).join('; ');
	return `${namedRows}${repeated.length > MAX_TOLD_TARGETS ? '; …' : ''}`;
}

/** e.g. `rows 3 and 9` */
function rowsInWords(rows: readonly number[]): string {
	const firstRows = rows.slice(0, MAX_TOLD_ROWS);
	if (rows.length > MAX_TOLD_ROWS)
		return `rows ${firstRows.join(', ')} and ${rows.length - firstRows.length} more`;
	return `rows ${firstRows.slice(0, -1).join(', ')} and ${firstRows.at(-1)}`;
}

/** A number as it stands in a sentence. */
export const counted = (number: number): string => number.toLocaleString('en-US');

/** The smallest plan's budgets, which are also the sandbox's (API document, "Limits"). */
const STARTER = { limit: 100, dayLimit: 20_000 };

/**
 * What requests cost in time and in share of the day. The windows are fixed (API document, "Limits", 2): what is left
 * of this minute goes out at once, and every further minute takes its whole budget.
 *
 * @param known of the key's budget, from the headers of earlier answers
 * @returns whether they fit into what is left of the day, and all of it in a sentence
 */
export function requestCost(
	requests: number,
	known: Partial<ReturnType<PlatformClient['rateLimit']>>,
) {
	const limit = known.limit || STARTER.limit;
	const dayLimit = known.dayLimit || STARTER.dayLimit;
	const minutes = Math.ceil(Math.max(0, requests - (known.remaining ?? limit)) / limit);
	const percentOfDay = Math.round((10_000 * requests) / dayLimit) / 100;
	const fitsToday = requests <= (known.dayRemaining ?? dayLimit);
	const time = minutes === 0 ? 'less than a minute' : `about ${several(minutes, 'minute')}`;
	const isAssumed = known.limit === undefined || known.dayLimit === undefined;
	const plan = isAssumed
		? ' (with the limits of the Starter plan, as this key’s own are not known yet)'
		: '';
	const day = fitsToday ? '' : ' That is more than what is left of today.';
	const text = `${several(requests, 'request')}, ${time} at the present limits and ${percentOfDay} % of a day’s requests${plan}.${day}`;
	return { requests, fitsToday, text };
}

const several = (number: number, noun: string) =>
	`${counted(number)} ${noun}${number === 1 ? '' : 's'}`;
