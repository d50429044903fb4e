import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { Clock } from './clock';
import type { Scrubber } from './credential';
import { outcomeOf, unanswered, type Answer, type Outcome } from './outcome';
import { CREDENTIAL, type PlatformContext } from './request';

/** A page of 250 full products comes to a few MB; what is parsed takes many times its text. Bytes, unpacked. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** What the attempts of a client share. */
export interface AttemptContext {
	context: PlatformContext;
	/** What n8n's helper is to send with, so that it does not read it from its database for every request. */
	credential: IDataObject;
	clock: Clock;
	scrub: Scrubber;
	/** Fails when nothing comes for this time, ms. Until the answer begins, n8n's own timeout watches. */
	idleMs: number;
	/** Fails when it takes longer in all, ms. */
	deadlineMs: number;
	/** Ends the attempt when the execution is cancelled. */
	signal?: AbortSignal;
}

/** An attempt whose answer is not whole yet. */
interface OpenAttempt {
	/** Closes its connection. */
	controller: AbortController;
	/** An n8n that does not hand the signal on keeps its connection, but not the slot. */
	reject(error: Error): void;
	/** When it has taken too long, monotonic ms. */
	endsMs: number;
	/** When nothing has come for too long, monotonic ms. */
	idleEndsMs: number;
}

/**
 * Sends requests once each, and reads the answers. One timer and one listener watch all attempts that are open: n8n's
 * own timeout sees only a connection on which nothing comes before the answer begins, so an answer that comes byte by
 * byte would hold its slot for ever.
 */
export class Attempts {
	private readonly open = new Set<OpenAttempt>();
	private timer?: AbortSignal;
	/** n8n's context, with the credential as it was read when the run began. */
	private readonly context: PlatformContext;

	constructor(private readonly shared: AttemptContext) {
		this.context = Object.create(shared.context, {
			getCredentials: { value: async () => await Promise.resolve(shared.credential) },
		}) as PlatformContext;
	}

	/**
	 * Sends a request once and reads the answer. Never throws: whatever happens is an outcome.
	 *
	 * @param options as `httpOptions` makes them
	 * @param forReturn whether parts of the answer are to be sent back as they are
	 */
	async send(options: IHttpRequestOptions, forReturn = false): Promise<Outcome> {
		const { scrub, clock } = this.shared;
		try {
			const answer = await this.exchange(options);
			return outcomeOf(answer, { options, forReturn, scrub, nowMs: clock.now() });
		} catch (error) {
			return unanswered(error);
		}
	}

	/** @throws whatever n8n's helper throws before the answer begins, or why the attempt was ended */
	private async exchange(options: IHttpRequestOptions): Promise<Answer> {
		const { clock, deadlineMs, signal } = this.shared;
		if (signal?.aborted) throw ended('ERR_CANCELED');
		const controller = new AbortController();
		const endsMs = clock.monotonic() + deadlineMs;
		return await new Promise<Answer>((resolve, reject) => {
			const attempt = { controller, reject, endsMs, idleEndsMs: endsMs };
			this.begin(attempt);
			void this.answerTo(options, attempt)
				.then(resolve, reject)
				.then(() => this.end(attempt));
		});
	}

	private begin(attempt: OpenAttempt): void {
		const { signal, idleMs, deadlineMs } = this.shared;
		this.open.add(attempt);
		if (this.open.size > 1) return;
		signal?.addEventListener('abort', this.cancel);
		// An earlier timer is early enough, since every attempt has the same time.
		if (this.timer?.aborted === false) this.timer.addEventListener('abort', this.look);
		else this.lookAfter(Math.min(idleMs, deadlineMs));
	}

	private end(attempt: OpenAttempt): void {
		this.open.delete(attempt);
		if (this.open.size > 0) return;
		this.shared.signal?.removeEventListener('abort', this.cancel);
		this.timer?.removeEventListener('abort', this.look);
	}

	private giveUp(attempt: OpenAttempt, error: Error): void {
		attempt.controller.abort(error);
		attempt.reject(error);
		this.end(attempt);
	}

	private readonly cancel = () => {
		for (const attempt of this.open) this.giveUp(attempt, ended('ERR_CANCELED'));
	};

	/** Ends what has taken too long. */
	private readonly look = () => {
		const nowMs = this.shared.clock.monotonic();
		let nextMs = this.shared.idleMs;
		for (const attempt of this.open) {
			const leftMs = Math.min(attempt.endsMs, attempt.idleEndsMs) - nowMs;
			if (leftMs <= 0) this.giveUp(attempt, ended('ETIMEDOUT'));
			else nextMs = Math.min(nextMs, leftMs);
		}
		if (this.open.size > 0) this.lookAfter(nextMs);
	};

	private lookAfter(ms: number): void {
		this.timer = this.shared.clock.timeout(Math.ceil(ms));
		this.timer.addEventListener('abort', this.look);
	}

	private async answerTo(options: IHttpRequestOptions, attempt: OpenAttempt): Promise<Answer> {
		const { scrub } = this.shared;
		const { controller } = attempt;
		// n8n's helper takes the signal of its `this`, where that has one, in place of the request's own.
		const self: unknown = Object.create(this.context, {
			getExecutionCancelSignal: { value: () => controller.signal },
		});
		// It also changes what it is given, and every attempt must send the same.
		const request = {
			...options,
			headers: { ...options.headers },
			abortSignal: controller.signal,
		};
		const { httpRequestWithAuthentication } = this.context.helpers;
		const response = (await httpRequestWithAuthentication.call(
			self,
			CREDENTIAL,
			request,
		)) as FullResponse;
		const answer: Answer = { status: response.statusCode, headers: {}, text: '' };
		for (const [name, value] of Object.entries(response.headers ?? {})) {
			if (value !== undefined && value !== null)
				answer.headers[name.toLowerCase()] = scrub.header(String(value));
		}
		await this.readBody(response.body, answer, attempt);
		// The rest is not wanted.
		if (answer.fault === 'too-large') controller.abort();
		return answer;
	}

	/** Reads a body piece by piece, so that no more than the bound is ever held, however little was sent for it. */
	private async readBody(body: unknown, answer: Answer, attempt: OpenAttempt): Promise<void> {
		if (!isStream(body)) {
			answer.text = typeof body === 'string' ? body : '';
			return;
		}
		const { clock, idleMs } = this.shared;
		const chunks: Buffer[] = [];
		let bytes = 0;
		attempt.idleEndsMs = clock.monotonic() + idleMs;
		try {
			for await (const chunk of body) {
				bytes += chunk.length;
				if (bytes > MAX_ANSWER_BYTES) {
					answer.fault = 'too-large';
					return;
				}
				chunks.push(chunk);
				attempt.idleEndsMs = clock.monotonic() + idleMs;
			}
		} catch (error) {
			answer.fault = 'cut-off';
			answer.error = error;
			return;
		}
		const all = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
		// A byte order mark is not part of the text.
		answer.text = all.toString('utf8').replace(/^\uFEFF/, '');
	}
}

interface FullResponse {
	statusCode: number;
	headers?: Record<string, unknown>;
	body: unknown;
}

const isStream = (body: unknown): body is AsyncIterable<Buffer> =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/** Why an attempt was ended from here, in the system's words. */
const ended = (code: 'ETIMEDOUT' | 'ERR_CANCELED') => Object.assign(new Error(code), { code });
