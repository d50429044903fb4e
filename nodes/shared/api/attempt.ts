import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { withCancelSignal } from '../n8n';
import { type Answer, outcomeOf } from './answer';
import { type Clock, SLICE_MS } from './clock';
import type { Scrubber } from './credential';
import { CREDENTIAL, type Outcome, type PlatformContext } from './request';
import { unanswered } from './unanswered';

/** A page of 250 full products comes to a few MB; what is parsed takes many times its text. Bytes, unpacked. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** What the attempts of a client share. */
interface AttemptContext {
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
	/** Ends the attempt when all of the client's requests are to have ended. */
	late?: AbortSignal;
}

/** An attempt whose answer is not whole yet. */
interface OpenAttempt {
	options: IHttpRequestOptions;
	/** Closes its connection. */
	controller: AbortController;
	/** An n8n that does not hand the signal on keeps its connection, but not the slot. */
	resolve(outcome: Outcome): void;
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
	private isWatching = false;
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
	 * @param willBeSentBack whether parts of the answer are to be sent back as they are
	 */
	async send(options: IHttpRequestOptions, willBeSentBack = false): Promise<Outcome> {
		const { clock, deadlineMs, signal, late } = this.shared;
		const endsMs = clock.monotonic() + deadlineMs;
		return await new Promise((resolve) => {
			const controller = new AbortController();
			const attempt: OpenAttempt = { options, controller, resolve, endsMs, idleEndsMs: endsMs };
			this.open.add(attempt);
			if (this.open.size === 1)
				for (const end of [signal, late]) end?.addEventListener('abort', this.endOverdue);
			if (!this.isWatching) void this.watch();
			const exchanged = this.exchange(options, attempt, willBeSentBack).catch((error: unknown) =>
				unanswered(error, options),
			);
			void exchanged.then((outcome) => this.end(attempt, outcome));
		});
	}

	private end(attempt: OpenAttempt, outcome: Outcome): void {
		this.open.delete(attempt);
		const { signal, late } = this.shared;
		if (this.open.size === 0)
			for (const end of [signal, late]) end?.removeEventListener('abort', this.endOverdue);
		attempt.resolve(outcome);
	}

	private async watch(): Promise<void> {
		const { clock, idleMs, deadlineMs } = this.shared;
		this.isWatching = true;
		while (this.open.size > 0) {
			await clock.sleep(Math.min(SLICE_MS, idleMs, deadlineMs));
			this.endOverdue();
		}
		this.isWatching = false;
	}

	/** Ends what has taken too long, or everything where the execution was cancelled or the client's time is over. */
	private readonly endOverdue = () => {
		const { clock, signal, late } = this.shared;
		const nowMs = clock.monotonic();
		const endsAll = signal?.aborted === true || late?.aborted === true;
		for (const attempt of this.open) {
			if (!endsAll && nowMs < Math.min(attempt.endsMs, attempt.idleEndsMs)) continue;
			const error = Object.assign(new Error(), {
				code: signal?.aborted ? 'ERR_CANCELED' : 'ETIMEDOUT',
			});
			attempt.controller.abort(error);
			this.end(attempt, unanswered(error, attempt.options));
		}
	};

	/** Reads a body piece by piece, so that no more than the bound is ever held, however little was sent for it. */
	private async exchange(
		options: IHttpRequestOptions,
		attempt: OpenAttempt,
		willBeSentBack: boolean,
	): Promise<Outcome> {
		const { clock, scrub, idleMs } = this.shared;
		const { controller } = attempt;
		const abortSignal = controller.signal;
		const self = withCancelSignal(this.context, abortSignal);
		// It also changes what it is given, and every attempt must send the same.
		const request = { ...options, headers: { ...options.headers }, abortSignal };
		const { httpRequestWithAuthentication: send } = this.context.helpers;
		const response = (await send.call(self, CREDENTIAL, request)) as {
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
				// The rest is not wanted.
				controller.abort();
			} else {
				const all = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
				readText(all, answer, willBeSentBack);
			}
		} catch (error) {
			answer.fault = 'cut-off';
			answer.error = error;
		}
		return outcomeOf(answer, options, { willBeSentBack, scrub, nowMs: clock.now() });
	}
}

const CHARSET = /;\s*charset\s*=\s*"?([\w:.-]{1,40})/i;

/**
 * Decodes the bytes of an answer by the charset that it names, else as UTF-8; a byte order mark is not part of the text.
 * Where parts of it are to be sent back, they must be those that the platform sent: what cannot be decoded is a fault.
 */
function readText(bytes: Buffer, answer: Answer, willBeSentBack: boolean): void {
	const [, charset = 'utf-8'] = CHARSET.exec(answer.headers['content-type'] ?? '') ?? [];
	try {
		answer.text = new TextDecoder(charset, { fatal: willBeSentBack }).decode(bytes);
	} catch {
		answer.text = new TextDecoder().decode(bytes);
		if (willBeSentBack && answer.status < 300) answer.fault = 'undecodable';
	}
}
