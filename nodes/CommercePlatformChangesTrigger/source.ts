import type { PlatformClient } from '../shared/rest/client';
import { MAX_PAGE_SIZE, NEWEST_FIRST, readPage } from '../shared/rest/pages';
import type { PlatformResponse } from '../shared/rest/request';
import { isTooLarge, mayRefuseParameter, PlatformError } from '../shared/rest/errors';
import { SERVICE } from '../shared/shop/service';
import type { ChangesParameters } from './parameters';
import { wholeSecond, type Place } from './state';
import { readChange, type Change } from './walk/change';
import { isRefusedQuery, type ChangesPage, type ChangesSource, type Query } from './walk/pages';

/** Statuses with which a platform may say that it does not offer what is watched. */
const NOT_OFFERED = new Set([404, 405, 501]);

const LOST_EVENT =
	'If the stream no longer holds the event “%”, set the filter “After Event ID” to an event that it holds: the trigger then goes on behind that one.';

/** Records that "Fetch Test Event" shows at most. */
const SAMPLE_SIZE = 5;

/** Fetches the pages of what is watched from the platform. */
export class PlatformSource implements ChangesSource {
	private takesLimit = true;
	private pageSize = MAX_PAGE_SIZE;

	constructor(
		private readonly client: PlatformClient,
		private readonly watched: Pick<ChangesParameters, 'watch' | 'filters'>,
	) {}

	/**
	 * Fetches one page. If it is too large, asks for half as many records, until it fits.
	 *
	 * @throws PlatformError
	 */
	async fetch(query: Query): Promise<ChangesPage> {
		const { client, takesLimit, pageSize } = this;
		const { watch, filters } = this.watched;
		const limit = Math.min(query.limit ?? pageSize, pageSize);
		const sentQuery = { ...filters, ...query, limit: takesLimit ? limit : undefined };
		const startedMs = client.clock.monotonic();
		const request = { method: 'GET', path: watch.path, query: sentQuery } as const;
		const answer = await client.request(request).catch((error: unknown) => {
			if (this.adaptTo(error, limit)) return undefined;
			throw this.withHint(error, sentQuery);
		});
		if (answer === undefined) return await this.fetch(query);
		return this.readAnswer(answer, client.clock.monotonic() - startedMs);
	}

	/**
	 * After a page could not be fetched, changes how pages are asked for, if there is another way.
	 *
	 * @param limit how many records were asked for
	 * @returns whether to ask again
	 */
	private adaptTo(error: unknown, limit: number): boolean {
		if (!this.takesLimit) return false;
		if (isTooLarge(error) && limit > 1) {
			this.pageSize = Math.ceil(limit / 2);
			return true;
		}
		const mayLackLimit = SERVICE.mayLackLimit(this.watched.watch.path);
		this.takesLimit = !(mayLackLimit && mayRefuseParameter(error));
		return !this.takesLimit;
	}

	endlessError(reason: string): PlatformError {
		return this.badPage(`The platform ${reason}, so the list would never end.`);
	}

	/**
	 * Where the first poll begins: at the chosen time, or now, for what changes from now on. "Now" is the
	 * platform's clock. To learn it costs one small request, which also shows at publishing whether the key
	 * may read the list.
	 *
	 * @throws PlatformError
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
			return { kind, read: 0, fromMs: startFromMs ?? (await this.platformNow()) };
		}
		if (startFromMs !== undefined) return { kind, sinceMs: wholeSecond(startFromMs) };
		const fromMs = await this.platformNow();
		// The first walk begins earlier by the overlap and marks what it finds there as emitted. Later walks then see which
		// of these records have changed late.
		return { kind, sinceMs: wholeSecond(fromMs - overlapMs), fromMs };
	}

	/**
	 * The newest records, for building the workflow. Changes no state.
	 *
	 * @throws PlatformError
	 */
	async sample(): Promise<Change[]> {
		const limit = SAMPLE_SIZE;
		const sort = this.watched.watch.kind === 'list' ? NEWEST_FIRST : undefined;
		const { changes } = await this.fetch({ limit, sort });
		return changes.slice(0, SAMPLE_SIZE);
	}

	private async platformNow(): Promise<number> {
		const { askedMs } = await this.fetch({ limit: 1 });
		return askedMs;
	}

	/** @param tookMs how long the request took: the platform may have read the page that long before it answered */
	private readAnswer(response: PlatformResponse, tookMs: number): ChangesPage {
		const { identity, kind } = this.watched.watch;
		const page = readPage(response.body, kind === 'stream' ? identity.idFields[0] : undefined);
		if (typeof page === 'string') throw this.badPage(page, response);
		// The platform's clock when the request began, even if its attempts took a minute.
		const { serverTimeMs = this.client.clock.now() } = response;
		return {
			changes: page.records.map((record) => readChange(record, identity)),
			nextCursor: page.hasMore ? page.nextCursor : undefined,
			hasMore: page.pagination === undefined ? undefined : page.hasMore,
			askedMs: Math.floor(serverTimeMs - tookMs),
		};
	}

	/**
	 * Adds what only the trigger knows. For example, a platform that does not offer what is watched may answer as if the
	 * path did not exist.
	 */
	private withHint(error: unknown, { after_event_id: eventId }: Query): unknown {
		if (!(error instanceof PlatformError)) return error;
		const { hint, status = 0 } = error.details;
		const isLost = eventId !== undefined && isRefusedQuery(error);
		const isMissing = error.problem === 'refused' && NOT_OFFERED.has(status);
		const hints = [
			hint,
			isLost && LOST_EVENT.replace('%', String(eventId)),
			isMissing && this.watched.watch.errors.permission,
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
