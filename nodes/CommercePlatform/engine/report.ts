import type { IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

import type { PlatformClient, WaitSummary } from '../../shared/api/client';
import type { RunReport } from './batchCall';
import { dryRunHint } from './dryRun';

/** Between two messages about progress. ms. */
const PROGRESS_INTERVAL_MS = 2_000;

/** Runs of this many requests say at their end what they cost. */
const LONG_RUN_REQUESTS = 100;

/** A wait that a user notices. ms. */
const LONG_WAIT_MS = 10_000;

type Context = IExecuteFunctions | IExecuteSingleFunctions;

/**
 * Says how far a run is: while it runs, to n8n's log and, in a run from the editor, to the browser's console; at
 * its end, by hints beside the output.
 */
export class Report implements RunReport {
	private readonly hints = new Set<string>();
	private saidAtMs: number;
	private unsentRequests = 0;

	constructor(
		private readonly context: Context,
		private readonly client: PlatformClient,
	) {
		this.saidAtMs = client.clock.now();
	}

	/** A dry run would have sent these requests. */
	wouldSend(requests: number): void {
		this.unsentRequests += requests;
	}

	hint(text: string): void {
		if (this.hints.has(text)) return;
		this.hints.add(text);
		this.say(text);
	}

	progress(done: number, total: number, what: string): void {
		const nowMs = this.client.clock.now();
		if (nowMs - this.saidAtMs < PROGRESS_INTERVAL_MS) return;
		this.saidAtMs = nowMs;
		const text = `${count(done)} of ${count(total)} ${what}, ${count(this.client.requestsSent())} requests so far`;
		this.say(text);
	}

	private say(text: string): void {
		this.context.logger.info(`${this.context.getNode().name}: ${text}`);
		if ('sendMessageToUI' in this.context) this.context.sendMessageToUI(text);
	}

	/**
	 * Gives the hints to n8n, with what a long run cost and how long it waited.
	 *
	 * @param cheaperWay a sentence about an operation that needs fewer requests, where there is one
	 */
	end(cheaperWay?: string): void {
		if (this.client.requestsSent() >= LONG_RUN_REQUESTS) {
			this.hint(costOf(this.client));
			if (cheaperWay !== undefined) this.hint(cheaperWay);
		}
		const waited = waitHint(this.client.waits());
		if (waited !== undefined) this.hint(waited);
		if (this.unsentRequests > 0)
			this.hint(dryRunHint(this.unsentRequests, this.client.rateLimit()));
		if (!('addExecutionHints' in this.context)) return;
		for (const message of this.hints) this.context.addExecutionHints({ message, type: 'info' });
		this.hints.clear();
	}
}

function costOf(client: PlatformClient): string {
	const { dayRemaining, dayPercent } = client.rateLimit();
	const left =
		dayRemaining === undefined || dayPercent === undefined
			? ''
			: ` ${count(dayRemaining)} requests are left of today (${Math.floor(dayPercent)} %).`;
	return `This run sent ${count(client.requestsSent())} requests.${left}`;
}

const count = (number: number) => number.toLocaleString('en-US');

/**
 * A sentence about how long a run waited for the platform, so that a slow run explains itself.
 *
 * @returns undefined where it hardly waited
 */
export function waitHint({
	rateLimitMs,
	retries,
	longestRetryWaitMs,
}: WaitSummary): string | undefined {
	if (rateLimitMs >= LONG_WAIT_MS) {
		return `This run waited ${inWords(rateLimitMs)} because the request budget of the API key was used up. Fewer requests, a larger plan or a capacity package help.`;
	}
	if (longestRetryWaitMs < LONG_WAIT_MS) return undefined;
	return `This run repeated ${retries === 1 ? 'one request' : `${retries} requests`} that failed, and waited up to ${inWords(longestRetryWaitMs)} for one of them. The platform had faults or was rate limiting.`;
}

function inWords(ms: number): string {
	const seconds = Math.round(ms / 1000);
	if (seconds < 120) return `${seconds} seconds`;
	return `${Math.round(seconds / 60)} minutes`;
}
