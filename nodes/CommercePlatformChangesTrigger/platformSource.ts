import type { PlatformClient } from '../shared/api/client';
import { mayRefuseLimit, PlatformError, settled } from '../shared/errors/errors';
import { readPage } from '../shared/api/answer';
import { MAX_PAGE_SIZE } from '../shared/api/pages';
import type { PlatformRequest, PlatformResponse, QueryValue } from '../shared/api/request';
import type { Watch } from './watches';
import type { PageSource, SourcePage } from './walk/step';

/** Answers that refuse the query itself, such as a sort, a cursor that has expired, or an unknown event. */
const REFUSED_QUERY = new Set([400, 404, 410, 422]);

/** Answers of a platform that does not offer what is watched. */
const NOT_OFFERED = new Set([404, 405, 501]);

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
	async fetch(query: Record<string, QueryValue>, etag?: string): Promise<SourcePage> {
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
				throw this.withPermission(sent.reason);
			}
			this.takesLimit = false;
			return await this.fetch(query, etag);
		}
		const tookMs = client.clock.monotonic() - startedMs;
		return this.read(sent.value, tookMs);
	}

	refusedQuery(error: unknown): boolean {
		return (
			error instanceof PlatformError &&
			error.problem === 'refused' &&
			REFUSED_QUERY.has(error.details.status ?? 0)
		);
	}

	endless(): PlatformError {
		return this.badPage('The platform sent the same place twice, so the list would never end.');
	}

	now(): number {
		return this.client.clock.now();
	}

	/** @param tookMs how long before the answer's time the platform may have read the page */
	private read(response: PlatformResponse, tookMs: number): SourcePage {
		const { serverTimeMs, headers, status } = response;
		const platformMs = serverTimeMs === undefined ? undefined : Math.floor(serverTimeMs - tookMs);
		// Of a request that was repeated for a minute, both times are those of its begin.
		const localMs = Math.floor(this.now() - tookMs);
		const known = { platformMs, localMs, etag: headers.etag };
		if (status === 304) return { ...known, records: [], paginated: true, notModified: true };
		const page = readPage(response.body);
		if (typeof page === 'string') throw this.badPage(page, response);
		return {
			...known,
			records: page.records,
			nextCursor: page.hasMore ? page.nextCursor : undefined,
			paginated: page.pagination !== undefined,
		};
	}

	/** A platform without what is watched may answer as if the path did not exist. */
	private withPermission(error: unknown): unknown {
		const { permission } = this.watch.errors;
		if (!(error instanceof PlatformError) || permission === undefined) return error;
		if (!NOT_OFFERED.has(error.details.status ?? 0)) return error;
		const hint = [error.details.hint, permission].filter(Boolean).join(' ');
		return new PlatformError(error.problem, error.request, { ...error.details, hint });
	}

	private badPage(hint: string, response?: PlatformResponse): PlatformError {
		const { host } = this.client;
		const { status, requestId } = response ?? {};
		const request = { method: 'GET', path: this.watch.path, host } as const;
		return new PlatformError('bad-page', request, { status, requestId, hint });
	}
}
