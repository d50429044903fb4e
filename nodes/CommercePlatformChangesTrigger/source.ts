import type { PlatformClient } from '../shared/api/client';
import { MAX_PAGE_SIZE, NEWEST_FIRST, readPage } from '../shared/api/pages';
import type { PlatformResponse } from '../shared/api/request';
import { InputError, isTooLarge, mayRefuseLimit, PlatformError } from '../shared/errors/errors';
import type { ChangesParameters } from './parameters';
import { wholeSecond, type Place } from './state';
import { readChange, type Change } from './walk/change';
import { isRefusedQuery, type Page, type PageSource, type Query } from './walk/pages';

/** Answers of a platform that does not offer what is watched. */
const NOT_OFFERED = new Set([404, 405, 501]);

const LOST_EVENT =
	'If the stream no longer holds the event “%”, set the filter “After Event ID” to an event that it holds: the trigger then goes on behind that one.';

const GOES_ON = 'What was read is kept, and the next poll goes on there.';

/** Records that "Fetch Test Event" shows at most. */
const SAMPLE_SIZE = 5;

/** The pages of what is watched, from the platform. */
export class PlatformSource implements PageSource {
	private takesLimit = true;
	private pageSize = MAX_PAGE_SIZE;

	constructor(
		private readonly client: PlatformClient,
		private readonly watched: Pick<ChangesParameters, 'watch' | 'filters'>,
	) {}

	/**
	 * One page. One that is too large is asked for with half as many records, until it fits.
	 *
	 * @throws PlatformError
	 */
	async fetch(query: Query): Promise<Page> {
		const { client, takesLimit, pageSize } = this;
		const { watch, filters } = this.watched;
		const limit = Math.min(query.limit ?? pageSize, pageSize);
		const sentQuery = { ...filters, ...query, limit: takesLimit ? limit : undefined };
		const startedMs = client.clock.monotonic();
		const request = { method: 'GET', path: watch.path, query: sentQuery } as const;
		const answer = await client.request(request).catch((error: unknown) => {
			if (this.asksOtherwise(error, limit)) return undefined;
			throw this.withHint(error, sentQuery);
		});
		if (answer === undefined) return await this.fetch(query);
		return this.read(answer, client.clock.monotonic() - startedMs);
	}

	/**
	 * Whether there is another way to ask for a page that could not be had.
	 *
	 * @param limit records that it was asked for with
	 */
	private asksOtherwise(error: unknown, limit: number): boolean {
		if (!this.takesLimit) return false;
		if (isTooLarge(error) && limit > 1) {
			this.pageSize = Math.ceil(limit / 2);
			return true;
		}
		this.takesLimit = !mayRefuseLimit(this.watched.watch.path, error);
		return !this.takesLimit;
	}

	endless(reason: string): PlatformError {
		return this.badPage(`The platform ${reason}, so the list would never end.`);
	}

	/**
	 * Where the first poll begins: at the chosen time, or with what changes from now on. "Now" is the platform's, but
	 * never later than n8n's own clock says, and costs one small request, which also shows at publishing whether the
	 * key may read the list at all.
	 *
	 * @throws PlatformError, InputError
	 */
	async firstPlace({
		startFromMs,
		overlapMs,
	}: Pick<ChangesParameters, 'startFromMs' | 'overlapMs'>): Promise<Place> {
		const { kind } = this.watched.watch;
		if (kind === 'snapshot') return { kind, taken: false };
		if (kind === 'stream') {
			const { after_event_id: afterEventId } = this.watched.filters;
			if (typeof afterEventId === 'string') return { kind, afterEventId, read: 0 };
			return { kind, read: 0, fromMs: startFromMs ?? (await this.now()) };
		}
		if (startFromMs !== undefined) return { kind, sinceMs: wholeSecond(startFromMs) };
		const fromMs = await this.now();
		// It begins the overlap earlier and passes over what is there, so that late changes are told from old ones.
		return { kind, sinceMs: wholeSecond(fromMs - overlapMs), fromMs };
	}

	/**
	 * The newest records, for building the workflow. Remembers nothing and moves nothing.
	 *
	 * @throws PlatformError
	 */
	async sample(): Promise<Change[]> {
		const limit = SAMPLE_SIZE;
		const sort = this.watched.watch.kind === 'list' ? NEWEST_FIRST : undefined;
		const { changes } = await this.fetch({ limit, sort }).catch(async (error: unknown) => {
			if (sort === undefined || !isRefusedQuery(error)) throw error;
			return await this.fetch({ limit });
		});
		return changes.slice(0, SAMPLE_SIZE);
	}

	private async now(): Promise<number> {
		const { askedAt } = await this.fetch({ limit: 1 });
		if (askedAt.isPlatformTime) return askedAt.nowMs;
		throw new InputError(
			'Start From',
			'must be set: the platform’s answers carry no time',
			'Without a Date header, the trigger cannot tell what changes from now on.',
		);
	}

	/** @param tookMs how long before the answer's time the platform may have read the page */
	private read(response: PlatformResponse, tookMs: number): Page {
		const { identity, kind } = this.watched.watch;
		const page = readPage(response.body, kind === 'stream' ? identity.idFields[0] : undefined);
		if (typeof page === 'string') throw this.badPage(page, response);
		if (kind === 'stream' && page.records.length === 0 && page.pagination?.has_more === true)
			throw this.badPage('The page says that there are more events, but it holds none.', response);
		// Of a request that was repeated for a minute, both times are those of its begin.
		const localMs = this.client.clock.now();
		const { serverTimeMs = localMs } = response;
		const askedAt = {
			nowMs: Math.floor(Math.min(serverTimeMs, localMs) - tookMs),
			clockMs: Math.floor(serverTimeMs - tookMs),
			isPlatformTime: response.serverTimeMs !== undefined,
		};
		return {
			changes: page.records.map((record) => readChange(record, identity)),
			nextCursor: page.hasMore ? page.nextCursor : undefined,
			hasMore: page.pagination === undefined ? undefined : page.hasMore,
			askedAt,
		};
	}

	/** Says what only the trigger knows: a platform without what is watched may answer as if the path did not exist. */
	private withHint(error: unknown, { after_event_id: eventId }: Query): unknown {
		if (!(error instanceof PlatformError)) return error;
		const { hint, status = 0 } = error.details;
		const isLost = eventId !== undefined && isRefusedQuery(error);
		const isMissing = error.problem === 'refused' && NOT_OFFERED.has(status);
		const hints = [
			hint,
			isLost && LOST_EVENT.replace('%', String(eventId)),
			isMissing && this.watched.watch.errors.permission,
			error.problem === 'timeout' && GOES_ON,
		];
		const details = { ...error.details, hint: hints.filter(Boolean).join(' ') };
		return new PlatformError(error.problem, error.request, details);
	}

	private badPage(hint: string, { status, requestId }: Partial<PlatformResponse> = {}) {
		const { path } = this.watched.watch;
		const request = { method: 'GET', path, host: this.client.host };
		return new PlatformError('bad-page', request, { status, requestId, hint });
	}
}
