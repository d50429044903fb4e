import type { FastifyReply } from 'fastify';
import { formOf } from '../../dialects/form';
import type { Dialect } from '../../dialects/dialect';
import type { Answer } from '../call';
import type { Operation } from '../contract';

/**
 * Sets the Date header (`dateHeader`).
 *
 * @param clockOffsetMs how far the platform's clock is ahead of this machine's, in ms
 */
export function setDate(reply: FastifyReply, dialect: Dialect, clockOffsetMs: number): void {
	const offset = formOf<number>('dateHeader', dialect);
	if (offset === 0 && clockOffsetMs === 0) return;
	reply.raw.sendDate = false;
	if (offset === undefined) return;
	void reply.header('date', new Date(Date.now() + clockOffsetMs + offset).toUTCString());
}

const HALF_A_SECOND = 0.5;

/** The headers in the dialect's form; those that it does not send are left out. */
export function shapeHeaders(
	{ status, headers = {} }: Answer,
	operation: Operation | undefined,
	dialect: Dialect,
): Record<string, string> {
	const isLevelWrite = operation?.answer.record === 'Level' && operation.method !== 'GET';
	const isVersionShown = dialect.levelVersion === 'both' || dialect.levelVersion === 'etag';
	const levelPrefix = isVersionShown ? '' : undefined;
	const etagPrefix = isLevelWrite ? levelPrefix : formOf<string>('etags', dialect);
	const shown = ([name, value]: [string, string]): string | undefined => {
		if (name.startsWith('x-ratelimit-')) {
			return status < formOf<number>('budgetHeaders', dialect)! ? value : undefined;
		}
		if (name === 'retry-after' && dialect.retryAfter === 'fraction' && /^\d+$/.test(value)) {
			return String(Number(value) + HALF_A_SECOND);
		}
		if (name === 'cache-control') return formOf('cacheControl', dialect);
		if (name !== 'etag') return value;
		return etagPrefix === undefined ? undefined : `${etagPrefix}${value}`;
	};
	const all = Object.entries(headers).map((one) => [one[0], shown(one)] as const);
	return Object.fromEntries(
		all.filter((one): one is readonly [string, string] => one[1] !== undefined),
	);
}
