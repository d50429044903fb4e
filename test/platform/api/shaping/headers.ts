import type { Dialect } from '../../dialects/dialect';
import type { FastifyReply } from 'fastify';

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
