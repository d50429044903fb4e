import type { FastifyReply } from 'fastify';
import type { By, Dialect } from '../../dialects/dialect';
import type { Answer } from '../call';
import type { Operation } from '../contract';
import { LEVEL_VERSION } from './records';

const HOUR_MS = 3_600_000;

const DATE_OFFSETS_MS: By<'dateHeader', number | undefined> = {
	right: 0,
	missing: undefined,
	hourAhead: HOUR_MS,
	hourBehind: -HOUR_MS,
};

/**
 * Sets the Date header (`dateHeader`).
 *
 * @param clockOffsetMs how far the platform's clock is from this machine's.
 */
export function setDate(reply: FastifyReply, dialect: Dialect, clockOffsetMs: number): void {
	const offset = DATE_OFFSETS_MS[dialect.dateHeader];
	if (offset === 0 && clockOffsetMs === 0) return;
	reply.raw.sendDate = false;
	if (offset === undefined) return;
	void reply.header('date', new Date(Date.now() + clockOffsetMs + offset).toUTCString());
}

const BUDGET_HEADERS: By<'budgetHeaders', (status: number) => boolean> = {
	everyAnswer: () => true,
	successes: (status) => status < 400,
	absent: () => false,
};

const CACHE_CONTROL: By<'cacheControl', string | undefined> = {
	revalidate: 'private, no-cache',
	maxAge: 'private, max-age=5',
	absent: undefined,
};

const ETAGS: By<'etags', (etag: string) => string | undefined> = {
	strong: (etag) => etag,
	weak: (etag) => `W/${etag}`,
	absent: () => undefined,
};

const HALF_A_SECOND = 0.5;

/** Headers in the dialect's form; what is `undefined` is left out. */
export function shapeHeaders(
	{ status, headers = {} }: Answer,
	operation: Operation | undefined,
	dialect: Dialect,
): Record<string, string> {
	const isLevelWrite = operation?.answer.record === 'Level' && operation.method !== 'GET';
	const etagOf = isLevelWrite
		? (etag: string) => (LEVEL_VERSION[dialect.levelVersion].inHeader ? etag : undefined)
		: ETAGS[dialect.etags];
	const shaped = (name: string, value: string): string | undefined => {
		if (name.startsWith('x-ratelimit-')) {
			return BUDGET_HEADERS[dialect.budgetHeaders](status) ? value : undefined;
		}
		if (name === 'retry-after' && dialect.retryAfter === 'fraction' && /^\d+$/.test(value)) {
			return String(Number(value) + HALF_A_SECOND);
		}
		if (name === 'cache-control') return CACHE_CONTROL[dialect.cacheControl];
		return name === 'etag' ? etagOf(value) : value;
	};
	const all = Object.entries(headers).map(([name, value]) => [name, shaped(name, value)] as const);
	return Object.fromEntries(
		all.filter((one): one is readonly [string, string] => one[1] !== undefined),
	);
}
