import type { FastifyReply } from 'fastify';
import type { Dialect } from '../../dialects/dialect';
import type { Answer } from '../call';
import { DOCUMENTED } from './documented';
import { LEVEL_VERSION } from './levels';

const HOUR_MS = 3_600_000;

const DATE_OFFSETS_MS: Readonly<Record<Dialect['dateHeader'], number | undefined>> = {
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

interface Context {
	operationId?: string;
	method: string;
	status: number;
	dialect: Dialect;
}

/** What a header becomes; `undefined` leaves it out. */
type HeaderRule = (value: string, context: Context) => string | undefined;

const BUDGET_HEADERS: Readonly<Record<Dialect['budgetHeaders'], (status: number) => boolean>> = {
	everyAnswer: () => true,
	successes: (status) => status < 400,
	absent: () => false,
};

const CACHE_CONTROL: Readonly<Record<Dialect['cacheControl'], string | undefined>> = {
	revalidate: 'private, no-cache',
	maxAge: 'private, max-age=5',
	absent: undefined,
};

const ETAGS: Readonly<Record<Dialect['etags'], (etag: string) => string | undefined>> = {
	strong: (etag) => etag,
	weak: (etag) => `W/${etag}`,
	absent: () => undefined,
};

const budget: HeaderRule = (value, { dialect, status }) =>
	BUDGET_HEADERS[dialect.budgetHeaders](status) ? value : undefined;

const HALF_A_SECOND = 0.5;

const retryAfter: HeaderRule = (value, { dialect }) =>
	dialect.retryAfter === 'fraction' && /^\d+$/.test(value)
		? String(Number(value) + HALF_A_SECOND)
		: value;

const isLevelWrite = ({ operationId = '', method }: Context) =>
	method !== 'GET' && DOCUMENTED[operationId]?.kind === 'level';

const etag: HeaderRule = (value, context) => {
	const { dialect } = context;
	if (!isLevelWrite(context)) return ETAGS[dialect.etags](value);
	return LEVEL_VERSION[dialect.levelVersion].inHeader ? value : undefined;
};

const RULES: Readonly<Record<string, HeaderRule>> = {
	'x-ratelimit-limit': budget,
	'x-ratelimit-remaining': budget,
	'x-ratelimit-reset': budget,
	'x-ratelimit-limit-day': budget,
	'x-ratelimit-remaining-day': budget,
	'retry-after': retryAfter,
	'cache-control': (_value, { dialect }) => CACHE_CONTROL[dialect.cacheControl],
	etag,
};

/** Headers in the dialect's form. */
export function shapeHeaders(answer: Answer, context: Omit<Context, 'status'>): Answer {
	const whole = { ...context, status: answer.status };
	const headers = Object.entries(answer.headers ?? {})
		.map(([name, value]) => [name, RULES[name] ? RULES[name](value, whole) : value] as const)
		.filter((header): header is readonly [string, string] => header[1] !== undefined);
	return { ...answer, headers: Object.fromEntries(headers) };
}
