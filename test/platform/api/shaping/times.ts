import type { Dialect } from '../../dialects/dialect';
import { without, type Fields, type RecordStage } from './recordStage';

const TIME_FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** How each form of time is made from `2026-01-31T10:00:00.125Z`. */
const FORMS: Readonly<Record<Dialect['recordTimes'], (time: string) => string | number>> = {
	milliseconds: (time) => time,
	seconds: (time) => time.replace(/\.\d{3}Z$/, 'Z'),
	microseconds: (time) => time.replace('Z', '000Z'),
	offset: (time) => time.replace('Z', '+00:00'),
	unixSeconds: (time) => Math.floor(Date.parse(time) / 1000),
	unixMilliseconds: (time) => Date.parse(time),
};

/** Forms of the times in a record (`recordTimes`). Where its time is shown as text, it is never a number. */
export const recordTimes: RecordStage = (record, { kind }, dialect) => {
	const form = FORMS[dialect.recordTimes];
	return Object.fromEntries(
		Object.entries(record).map(([name, value]) => {
			if (typeof value !== 'string' || !TIME_FORM.test(value)) return [name, value];
			const shown = form(value);
			return [name, typeof shown === 'string' || WITH_FREE_TIMES.has(kind) ? shown : value];
		}),
	);
};

const TIMES = ['created_at', 'updated_at'];

const timesOf = (record: Fields): Fields =>
	Object.fromEntries(TIMES.filter((name) => name in record).map((name) => [name, record[name]]));

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const PLACES: Readonly<Record<Dialect['updatedAt'], (record: Fields) => Fields>> = {
	snake: (record) => record,
	camel: (record) => ({
		...without(record, TIMES),
		...Object.fromEntries(
			Object.entries(timesOf(record)).map(([name, time]) => [camel(name), time]),
		),
	}),
	nested: (record) => ({ ...without(record, TIMES), timestamps: timesOf(record) }),
	absent: (record) => without(record, TIMES),
};

const WITH_FREE_TIMES = new Set(['product', 'order', 'customer', 'category']);

/** Where a record has its times (`updatedAt`). A stock level's `updated_at` is shown and stays. */
export const placeOfTimes: RecordStage = (record, { kind }, dialect) =>
	WITH_FREE_TIMES.has(kind) ? PLACES[dialect.updatedAt](record) : record;
