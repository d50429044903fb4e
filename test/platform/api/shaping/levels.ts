import type { Dialect } from '../../dialects/dialect';
import { without, type RecordStage } from './recordStage';

/** Where the version of a stock level is shown (`levelVersion`). */
export const LEVEL_VERSION: Readonly<
	Record<Dialect['levelVersion'], { inRecord: boolean; inHeader: boolean }>
> = {
	both: { inRecord: true, inHeader: true },
	field: { inRecord: true, inHeader: false },
	etag: { inRecord: false, inHeader: true },
	absent: { inRecord: false, inHeader: false },
};

/** Records of stock levels. */
export const levelRecords: RecordStage = (record, { kind }, { levelVersion }) =>
	kind === 'level' && !LEVEL_VERSION[levelVersion].inRecord ? without(record, ['version']) : record;
