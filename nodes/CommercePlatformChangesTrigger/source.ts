import type { PlatformClient } from '../shared/rest/client';
import { mayBeNotThere } from '../shared/rest/errorBody';
import { PlatformError } from '../shared/rest/errors';
import { endlessHint } from '../shared/rest/pages';
import type { ChangesParameters } from './parameters';
import { type Change, FIRST_SNAPSHOT, type Place, readChange, wholeSecond } from './state';
import type { ChangesPage, ChangesSource, Query } from './walk';

/** Statuses that may say that the event is unknown. */
const LOST_EVENT_STATUSES = new Set([400, 404, 410, 422]);

const LOST_EVENT =
	"If the stream no longer holds the event “%”, set the filter 'After Event ID' to an event that it holds: the trigger then continues after it.";

/** Records that "Fetch Test Event" shows at most. */
const SAMPLE_SIZE = 5;

/** Fetches the pages of what is watched from the platform. */
export class PlatformSource implements ChangesSource {
	constructor(
		private readonly client: PlatformClient,
		private readonly watched: Pick<ChangesParameters, 'watch' | 'filters'>,
	) {}

	/**
	 * Fetches one page.
	 *
	 * @param newestFirst whether the records that changed last are wanted
	 * @throws PlatformError
	 */
	async fetch({ limit, cursor, ...asked }: Query, newestFirst?: boolean): Promise<ChangesPage> {
		const { client } = this;
		const { watch, filters } = this.watched;
		const { resource, kind, identity } = watch;
		const { path } = resource;
		const query = { ...filters, ...asked };
		const [field] = identity.idFields;
		const keyset = kind === 'stream' ? { field, query: 'after_event_id' } : undefined;
		const options = { limit, startCursor: cursor, newestFirst, keyset };
		const startedMs = client.clock.monotonic();
		const { records, response, nextCursor, hasMore } = await client
			.page({ method: 'GET', path, query }, options)
			.catch((error: unknown) => {
				throw this.withHint(error, query);
			});
		// The platform may have read the page as long before it answered as the request took, with all its attempts. What
		// changed meanwhile is for the next walk, however short the overlap is.
		const tookMs = client.clock.monotonic() - startedMs;
		const { serverTimeMs = client.clock.now() } = response;
		return {
			changes: records.map((record) => readChange(record, identity)),
			nextCursor: hasMore ? nextCursor : undefined,
			hasMore,
			askedMs: Math.floor(serverTimeMs - tookMs),
		};
	}

	endlessError(sent: string): PlatformError {
		const { path } = this.watched.watch.resource;
		const request = { method: 'GET', path, host: this.client.host };
		return new PlatformError('bad-page', request, { hint: endlessHint(sent) });
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
		if (kind === 'snapshot') return FIRST_SNAPSHOT;
		if (kind === 'stream') {
			const { after_event_id: afterEventId } = this.watched.filters;
			if (typeof afterEventId === 'string') return { kind, afterEventId, read: 0, fromMs: 0 };
			return { kind, read: 0, fromMs: startFromMs ?? (await this.platformNow()) };
		}
		if (startFromMs !== undefined)
			return { kind, sinceMs: wholeSecond(startFromMs), fromMs: 0, walk: null };
		const fromMs = await this.platformNow();
		// The first walk begins earlier by the overlap and marks what it finds there as emitted. Later walks then see which
		// of these records have changed late.
		return { kind, sinceMs: wholeSecond(fromMs - overlapMs), fromMs, walk: null };
	}

	/** A few records; of a list, those that changed last. @throws PlatformError */
	async newest(): Promise<Change[]> {
		const isList = this.watched.watch.kind === 'list';
		const { changes } = await this.fetch({ limit: SAMPLE_SIZE }, isList);
		return changes;
	}

	private async platformNow(): Promise<number> {
		const { askedMs } = await this.fetch({ limit: 1 });
		return askedMs;
	}

	/**
	 * Adds what only the trigger knows: which event may be lost, or what is watched may not be offered. A platform may
	 * answer either as if the path did not exist.
	 */
	private withHint(error: unknown, { after_event_id: eventId }: Query): unknown {
		if (!(error instanceof PlatformError) || error.problem !== 'refused') return error;
		const { details } = error;
		const { watch, filters } = this.watched;
		const isLost = eventId !== undefined && LOST_EVENT_STATUSES.has(details.status ?? 0);
		// A stream that has given an event is there.
		const isThere = isLost && eventId !== filters.after_event_id;
		const hints = [
			isLost && LOST_EVENT.replace('%', String(eventId)),
			!isThere && mayBeNotThere(details) && watch.errors.permission,
		].filter(Boolean);
		const hint = hints.join(' ') || details.hint;
		return new PlatformError(error.problem, error.request, { ...details, hint });
	}
}
