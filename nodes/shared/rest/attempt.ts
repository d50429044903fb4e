import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { withCancelSignal } from '../n8n';
import { type Answer, outcomeOf } from './answer';
import { type Clock, SLICE_MS } from './clock';
import type { Scrubber } from './credential';
import { CREDENTIAL, type Outcome, type PlatformContext, type Service } from './request';
import { unanswered } from './network';

/**
 * The largest answer that is read, in bytes, unpacked. A page of 250 full products has a few MB, and takes several
 * times as much memory once it is parsed.
 */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** What the attempts of a client share. */
interface AttemptContext extends Pick<Service, 'saysNotDone'> {
	context: PlatformContext;
	/** n8n's helper sends with it. Otherwise the helper would read it from n8n's database for every request. */
	credential: IDataObject;
	clock: Clock;
	scrub: Scrubber;
	/** An attempt fails if nothing arrives for this time, ms. Until the answer begins, n8n's own timeout watches. */
	idleMs: number;
	/** An attempt fails if it takes longer in all, ms. */
	deadlineMs: number;
	/** Aborts when the execution is cancelled: all attempts end. */
	signal?: AbortSignal;
	/** Aborts when the client's time for all its requests is over: all attempts end. */
	timeUp?: AbortSignal;
}

/** An attempt that has not ended. */
interface OpenAttempt {
	options: IHttpRequestOptions;
	/** Closes its connection, if n8n passes the signal on. */
	controller: AbortController;
	/** Ends the attempt for its caller, and so frees its slot, even if n8n keeps the connection open. */
	resolve(outcome: Outcome): void;
	/** When it will have taken too long in all, monotonic ms. */
	endsMs: number;
	/** When it will have received nothing for too long, monotonic ms. */
	idleEndsMs: number;
}

/**
 * Sends each request once and reads the answer. One timer and one listener watch all open attempts: n8n's own timeout
 * only watches until the answer begins, so an answer that comes byte by byte would hold its slot for ever.
 */
export class Attempts {
	private readonly openAttempts = new Set<OpenAttempt>();
	private isWatching = false;
	/** n8n's context, but with the credential that was read when the run began. */
	private readonly context: PlatformContext;

	constructor(private readonly shared: AttemptContext) {
		this.context = Object.create(shared.context, {
			getCredentials: { value: async () => await Promise.resolve(shared.credential) },
		}) as PlatformContext;
	}

	/**
	 * Sends a request once and reads the answer. Never throws: every failure is an outcome.
	 *
	 * @param options as `httpOptions` makes them
	 */
	async send(options: IHttpRequestOptions): Promise<Outcome> {
		const { clock, deadlineMs, signal, timeUp } = this.shared;
		const endsMs = clock.monotonic() + deadlineMs;
		return await new Promise((resolve) => {
			const controller = new AbortController();
			const attempt: OpenAttempt = { options, controller, resolve, endsMs, idleEndsMs: endsMs };
			this.openAttempts.add(attempt);
			if (this.openAttempts.size === 1)
				for (const ending of [signal, timeUp]) ending?.addEventListener('abort', this.endOverdue);
			if (!this.isWatching) void this.watch();
			const outcomePromise = this.exchange(options, attempt).catch((error: unknown) =>
				unanswered(error, options),
			);
			void outcomePromise.then((outcome) => this.end(attempt, outcome));
		});
	}

	private end(attempt: OpenAttempt, outcome: Outcome): void {
		this.openAttempts.delete(attempt);
		const { signal, timeUp } = this.shared;
		if (this.openAttempts.size === 0)
			for (const ending of [signal, timeUp]) ending?.removeEventListener('abort', this.endOverdue);
		attempt.resolve(outcome);
	}

	private async watch(): Promise<void> {
		const { clock, idleMs, deadlineMs } = this.shared;
		this.isWatching = true;
		while (this.openAttempts.size > 0) {
			await clock.sleep(Math.min(SLICE_MS, idleMs, deadlineMs));
			this.endOverdue();
		}
		this.isWatching = false;
	}

	/**
	 * Ends the attempts that have taken too long. Ends all of them if the execution was cancelled, or the client's time
	 * is over.
	 */
	private readonly endOverdue = () => {
		const { clock, signal, timeUp } = this.shared;
		const nowMs = clock.monotonic();
		const endsAll = signal?.aborted === true || timeUp?.aborted === true;
		for (const attempt of this.openAttempts) {
			if (!endsAll && nowMs < Math.min(attempt.endsMs, attempt.idleEndsMs)) continue;
			const error = Object.assign(new Error(), {
				code: signal?.aborted ? 'ERR_CANCELED' : 'ETIMEDOUT',
			});
			attempt.controller.abort(error);
			this.end(attempt, unanswered(error, attempt.options));
		}
	};

	/**
	 * Sends a request and reads the body piece by piece. Reading stops at the size limit: a small compressed body may
	 * unpack to a huge one.
	 */
	private async exchange(options: IHttpRequestOptions, attempt: OpenAttempt): Promise<Outcome> {
		const { clock, scrub, idleMs, saysNotDone } = this.shared;
		const { controller } = attempt;
		const abortSignal = controller.signal;
		const helperContext = withCancelSignal(this.context, abortSignal);
		// n8n changes the options it is given, but every attempt must send the same.
		const request = { ...options, headers: { ...options.headers }, abortSignal };
		const { httpRequestWithAuthentication: send } = this.context.helpers;
		const response = (await send.call(helperContext, CREDENTIAL, request)) as {
			statusCode: number;
			headers?: Record<string, unknown>;
			body?: AsyncIterable<Buffer> | Buffer[];
		};
		const answer: Answer = { status: response.statusCode, headers: {}, text: '' };
		for (const [name, value] of Object.entries(response.headers ?? {}))
			if (value !== undefined && value !== null)
				answer.headers[name.toLowerCase()] = scrub.header(String(value));
		const chunks: Buffer[] = [];
		let bytes = 0;
		try {
			attempt.idleEndsMs = clock.monotonic() + idleMs;
			for await (const chunk of response.body ?? []) {
				attempt.idleEndsMs = clock.monotonic() + idleMs;
				chunks.push(chunk);
				bytes += chunk.length;
				if (bytes > MAX_ANSWER_BYTES) break;
			}
			if (bytes > MAX_ANSWER_BYTES) {
				answer.fault = 'too-large';
				// Stops the rest of the answer.
				controller.abort();
			} else {
				const bytesRead = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
				// JSON is UTF-8 (RFC 8259, 8.1); a byte order mark is not part of the text.
				answer.text = new TextDecoder().decode(bytesRead);
			}
		} catch (error) {
			answer.fault = 'cut-off';
			answer.error = error;
		}
		return outcomeOf(answer, options, { saysNotDone, scrub, nowMs: clock.now() });
	}
}
