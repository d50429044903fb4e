import { readPage } from '../shared/api/answer';
import type { PlatformClient } from '../shared/api/client';
import { MAX_PAGE_SIZE, NEWEST_FIRST } from '../shared/api/pages';
import type { PlatformRequest, PlatformResponse } from '../shared/api/request';
import { InputError, mayRefuseLimit, PlatformError, settled } from '../shared/errors/errors';
import type { ChangesParameters } from './parameters';
import { earliest, wholeSecond, type Place } from './state';
import { readChange, type Change } from './walk/change';
import { isRefusedQuery, type PageSource, type Query, type SourcePage } from './walk/pages';
import { EVENT_ID } from './walk/stream';

/** Answers of a platform that does not offer what is watched. */
const NOT_OFFERED = new Set([404, 405, 501]);

const LOST_EVENT =
	'If the stream no longer holds the event “%”, set the filter “After Event ID” to an event that it holds: the trigger then goes on behind that one.';

/** What of the parameters says which records are watched. */
type Watched = Pick<ChangesParameters, 'watch' | 'filters'>;

/** The pages of what is watched, from the platform. */
export class PlatformSource implements PageSource {
	readonly identity;
	private takesLimit = true;

	constructor(
		private readonly client: PlatformClient,
		private readonly watched: Watched,
		private readonly pageSize = MAX_PAGE_SIZE,
	) {
		this.identity = watched.watch.identity;
	}

	/** @throws PlatformError */
	async fetch(query: Query): Promise<SourcePage> {
		const { client, pageSize } = this;
		const { watch, filters } = this.watched;
		const limit = this.takesLimit ? pageSize : undefined;
		const request: PlatformRequest = {
			method: 'GET',
			path: watch.path,
			query: { ...filters, limit, ...query },
		};
		const startedMs = client.clock.monotonic();
		const sent = await settled(client.request(request));
		if (sent.status === 'rejected') {
			if (!this.takesLimit || !mayRefuseLimit(watch.path, sent.reason)) {
				throw this.withHint(sent.reason, query);
			}
			this.takesLimit = false;
			return await this.fetch(query);
		}
		return this.read(sent.value, client.clock.monotonic() - startedMs);
	}

	endless(reason: string): PlatformError {
		return this.badPage(`The platform ${reason}, so the list would never end.`);
	}

	/** @param tookMs how long before the answer's time the platform may have read the page */
	private read(response: PlatformResponse, tookMs: number): SourcePage {
		const { serverTimeMs: platformMs } = response;
		const localMs = this.client.clock.now();
		const before = (ms: number) => Math.floor(ms - tookMs);
		const isKeyed = this.watched.watch.kind === 'stream';
		const page = readPage(response.body, isKeyed ? EVENT_ID : undefined);
		if (typeof page === 'string') throw this.badPage(page, response);
		return {
			records: page.records,
			nextCursor: page.hasMore ? page.nextCursor : undefined,
			hasMore: page.pagination === undefined ? undefined : page.hasMore,
			// Of a request that was repeated for a minute, both times are those of its begin.
			asked: { platformMs: platformMs && before(platformMs), localMs: before(localMs) },
			answered: { platformMs, localMs },
		};
	}

	/** Says what only this watch knows: a platform without it may answer as if the path did not exist. */
	private withHint(error: unknown, query: Query): unknown {
		if (!(error instanceof PlatformError) || error.problem !== 'refused') return error;
		const { watch, filters } = this.watched;
		const { after_event_id: eventId } = { ...filters, ...query };
		const isLost = eventId !== undefined && isRefusedQuery(error);
		const hints = [
			error.details.hint,
			isLost ? LOST_EVENT.replace('%', String(eventId)) : undefined,
			NOT_OFFERED.has(error.details.status ?? 0) ? watch.errors.permission : undefined,
		];
		const hint = hints.filter(Boolean).join(' ');
		return new PlatformError(error.problem, error.request, { ...error.details, hint });
	}

	private badPage(hint: string, { status, requestId }: Partial<PlatformResponse> = {}) {
		const { client, watched } = this;
		const request = { method: 'GET', path: watched.watch.path, host: client.host } as const;
		return new PlatformError('bad-page', request, { status, requestId, hint });
	}
}

/** Records that "Fetch Test Event" shows at most. */
const SAMPLE_SIZE = 5;

/**
 * Where the first poll begins: at the chosen time, or with what changes from now on. "Now" is the platform's, but
 * never later than n8n's own clock says, and costs one small request, which also shows at publishing whether the
 * key may read the list at all.
 *
 * @throws PlatformError, InputError
 */
export async function firstPlace(
	client: PlatformClient,
	parameters: ChangesParameters,
): Promise<Place> {
	const { watch, filters, startFromMs, overlapMs } = parameters;
	const { after_event_id: afterEventId } = filters;
	if (watch.kind === 'snapshot') return { kind: 'snapshot', taken: false };
	if (watch.kind === 'stream' && typeof afterEventId === 'string') {
		return { kind: 'stream', afterEventId, read: 0 };
	}
	if (watch.kind === 'list' && startFromMs !== undefined) {
		return { kind: 'list', sinceMs: wholeSecond(startFromMs) };
	}
	const fromMs = startFromMs ?? (await platformNow(new PlatformSource(client, parameters, 1)));
	if (watch.kind === 'stream') return { kind: 'stream', read: 0, fromMs };
	// It begins the overlap earlier and passes over what is there, so that late changes are told from old ones.
	return { kind: 'list', sinceMs: wholeSecond(fromMs - overlapMs), fromMs };
}

async function platformNow(probe: PlatformSource): Promise<number> {
	const { asked } = await probe.fetch({});
	if (asked.platformMs !== undefined) return earliest(asked);
	throw new InputError(
		'Start From',
		'must be set: the platform’s answers carry no time',
		'Without a Date header, the trigger cannot tell what changes from now on.',
	);
}

/**
 * The newest records, for building the workflow. Remembers nothing and moves nothing.
 *
 * @throws PlatformError
 */
export async function fetchSample(client: PlatformClient, watched: Watched): Promise<Change[]> {
	const source = new PlatformSource(client, watched, SAMPLE_SIZE);
	const isSortable = watched.watch.kind === 'list';
	const sent = await settled(source.fetch(isSortable ? { sort: NEWEST_FIRST } : {}));
	const isUnsorted = sent.status === 'rejected' && isSortable && isRefusedQuery(sent.reason);
	if (sent.status === 'rejected' && !isUnsorted) throw sent.reason;
	const { records, asked } = sent.status === 'fulfilled' ? sent.value : await source.fetch({});
	return records
		.slice(0, SAMPLE_SIZE)
		.map((record) => readChange(record, source.identity, earliest(asked)));
}
