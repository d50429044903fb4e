import { readPage } from '../shared/api/answer';
import type { PlatformClient } from '../shared/api/client';
import { MAX_PAGE_SIZE, NEWEST_FIRST } from '../shared/api/pages';
import type { PlatformRequest, PlatformResponse, QueryValue } from '../shared/api/request';
import { InputError, mayRefuseLimit, PlatformError, settled } from '../shared/errors/errors';
import type { ChangesParameters, Watch } from './parameters';
import { earliest, type Place, wholeSecond } from './state';
import { type Change, readChange } from './walk/change';
import type { PageSource, Query, SourcePage } from './walk/pages';
import { EVENT_ID } from './walk/stream';

/** Answers that refuse the query itself, such as a sort, a cursor that has expired, or an unknown event. */
const REFUSED_QUERY = new Set([400, 404, 410, 422]);

/** Answers of a platform that does not offer what is watched. */
const NOT_OFFERED = new Set([404, 405, 501]);

const LOST_EVENT =
	'If the stream no longer holds the event “%”, set the filter “After Event ID” to an event that it holds: the trigger then goes on behind that one.';

const isRefusal = (error: unknown): error is PlatformError =>
	error instanceof PlatformError && error.problem === 'refused';

/** The pages of what is watched, from the platform. */
export class PlatformSource implements PageSource {
	readonly identity;
	private takesLimit = true;

	/** @param filters that go with every request */
	constructor(
		private readonly client: PlatformClient,
		private readonly watch: Watch,
		private readonly filters: Record<string, QueryValue>,
		private readonly pageSize = MAX_PAGE_SIZE,
	) {
		this.identity = watch.identity;
	}

	/** @throws PlatformError */
	async fetch(query: Query, etag?: string): Promise<SourcePage> {
		const { client, watch, filters, pageSize } = this;
		const request: PlatformRequest = {
			method: 'GET',
			path: watch.path,
			query: { ...filters, limit: this.takesLimit ? pageSize : undefined, ...query },
			...(etag === undefined ? {} : { headers: { 'If-None-Match': etag } }),
		};
		const startedMs = client.clock.monotonic();
		const sent = await settled(client.request(request));
		if (sent.status === 'rejected') {
			if (!this.takesLimit || !mayRefuseLimit(watch.path, sent.reason)) {
				throw this.withHint(sent.reason, query);
			}
			this.takesLimit = false;
			return await this.fetch(query, etag);
		}
		const tookMs = client.clock.monotonic() - startedMs;
		return this.read(sent.value, tookMs);
	}

	refusedQuery(error: unknown): boolean {
		return isRefusal(error) && REFUSED_QUERY.has(error.details.status ?? 0);
	}

	refusedCursor(error: unknown): boolean {
		return isRefusal(error) || (error instanceof PlatformError && error.problem === 'bad-page');
	}

	endless(reason: string): PlatformError {
		return this.badPage(`The platform ${reason}, so the list would never end.`);
	}

	/** @param tookMs how long before the answer's time the platform may have read the page */
	private read(response: PlatformResponse, tookMs: number): SourcePage {
		const { serverTimeMs: platformMs, headers, status } = response;
		const localMs = this.client.clock.now();
		const before = (ms: number | undefined) => ms && Math.floor(ms - tookMs);
		// Of a request that was repeated for a minute, both times are those of its begin.
		const asked = { platformMs: before(platformMs), localMs: Math.floor(localMs - tookMs) };
		const known = { asked, answered: { platformMs, localMs }, etag: headers.etag };
		if (status === 304) return { ...known, records: [], notModified: true };
		const page = readPage(response.body, this.watch.kind === 'stream' ? EVENT_ID : undefined);
		if (typeof page === 'string') throw this.badPage(page, response);
		return {
			...known,
			records: page.records,
			nextCursor: page.hasMore ? page.nextCursor : undefined,
			hasMore: page.pagination === undefined ? undefined : page.hasMore,
		};
	}

	/** Says what only this watch knows: a platform without it may answer as if the path did not exist. */
	private withHint(error: unknown, query: Query): unknown {
		if (!isRefusal(error)) return error;
		const { after_event_id: eventId } = { ...this.filters, ...query };
		const { permission } = this.watch.errors;
		const isNotOffered = permission !== undefined && NOT_OFFERED.has(error.details.status ?? 0);
		const isLost = eventId !== undefined && this.refusedQuery(error);
		const lost = isLost ? LOST_EVENT.replace('%', String(eventId)) : undefined;
		const hints = [error.details.hint, lost, isNotOffered ? permission : undefined];
		const hint = hints.filter(Boolean).join(' ');
		return new PlatformError(error.problem, error.request, { ...error.details, hint });
	}

	private badPage(hint: string, response?: PlatformResponse): PlatformError {
		const { host } = this.client;
		const { status, requestId } = response ?? {};
		const request = { method: 'GET', path: this.watch.path, host } as const;
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
	{ watch, filters, startFromMs, overlapMs }: ChangesParameters,
): Promise<Place> {
	if (watch.kind === 'snapshot') return { kind: 'snapshot', taken: false };
	const { after_event_id: afterEventId } = filters;
	if (watch.kind === 'stream' && typeof afterEventId === 'string') {
		return { kind: 'stream', afterEventId, read: 0 };
	}
	const now = async () => await platformNow(new PlatformSource(client, watch, filters, 1));
	if (watch.kind === 'stream') {
		return { kind: 'stream', read: 0, fromMs: startFromMs ?? (await now()) };
	}
	if (startFromMs !== undefined) return { kind: 'list', sinceMs: wholeSecond(startFromMs) };
	const fromMs = await now();
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
export async function fetchSample(
	client: PlatformClient,
	{ watch, filters }: ChangesParameters,
): Promise<Change[]> {
	const source = new PlatformSource(client, watch, filters, SAMPLE_SIZE);
	const sorted = await settled(source.fetch(watch.kind === 'list' ? { sort: NEWEST_FIRST } : {}));
	const isUnsorted =
		sorted.status === 'rejected' && watch.kind === 'list' && source.refusedQuery(sorted.reason);
	if (sorted.status === 'rejected' && !isUnsorted) throw sorted.reason;
	const page = sorted.status === 'fulfilled' ? sorted.value : await source.fetch({});
	return page.records
		.slice(0, SAMPLE_SIZE)
		.map((record) => readChange(record, watch.identity, earliest(page.asked)));
}
