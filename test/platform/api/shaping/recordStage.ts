import type { Dialect } from '../../dialects/dialect';
import type { Documented } from './documented';

export type Fields = Record<string, unknown>;

/** Gives one record the form that a dialect has for it. */
export type RecordStage = (record: Fields, documented: Documented, dialect: Dialect) => Fields;

/** A record with some fields under other names; fields that it lacks stay absent. */
export const renamed = (record: Fields, names: Readonly<Record<string, string>>): Fields =>
	Object.fromEntries(Object.entries(record).map(([name, value]) => [names[name] ?? name, value]));

/** A record without some fields. */
export const without = (record: Fields, names: readonly string[]): Fields =>
	Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
