import type { Dialect } from '../../dialects/dialect';
import type { RecordKind } from './documented';

export type Fields = Record<string, unknown>;

/** Gives one record the form that a dialect has for it. */
export type RecordStage = (record: Fields, kind: RecordKind, dialect: Dialect) => Fields;
