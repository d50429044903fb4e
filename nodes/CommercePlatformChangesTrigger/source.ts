import type { PlatformClient } from '../shared/rest/client';
import type { FetchedPage } from '../shared/rest/pages';
import { PlatformError } from '../shared/rest/errors';
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
		const { path, kind, identity } = watch;
		const query = { ...filters, ...asked };
		const [field] = identity.idFields;
		const keyset = kind === 'stream' ? { field, query: 'after_event_id' } : undefined;
		const options = { limit, startCursor: cursor, maxPages: 1, newestFirst, keyset };
		const startedMs = client.clock.monotonic();
		const pages = client.pages({ method: 'GET', path, query }, options);
		const first = await pages.next().catch((error: unknown) => {
			throw this.withHint(error, query);
		});
		const { records, response, nextCursor, hasMore } = first.value as FetchedPage;
		// The platform may have read the page as long before it answered as the request took, with all its attempts.
		const tookMs = client.clock.monotonic() - startedMs;
		const { serverTimeMs = client.clock.now() } = response;
		return {
			changes: records.map((record) => readChange(record, identity)),
			nextCursor: hasMore ? nextCursor : undefined,
			hasMore,
			askedMs: Math.floor(serverTimeMs - tookMs),
		};
	}

	endlessError(reason: string): PlatformError {
		const { path } = this.watched.watch;
		const request = { method: 'GET', path, host: this.client.host };
		const hint = `The platform ${reason}, so the list would never end.`;
		return new PlatformError('bad-page', request, { hint });
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
		const isList = this.watched.watch.kind === 'list';
		const { changes } = await this.fetch({ limit: SAMPLE_SIZE }, isList);
		return changes;
	}

	private async platformNow(): Promise<number> {
		const { askedMs } = await this.fetch({ limit: 1 });
		return askedMs;
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
}
