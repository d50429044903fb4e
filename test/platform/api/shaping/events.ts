import type { Dialect } from '../../dialects/dialect';
import type { Fields, RecordStage } from './recordStage';

const RECORDS: Readonly<Record<Dialect['eventRecord'], (event: Fields) => Fields>> = {
	delivery: (event) => event,
	envelope: ({ event_id, event, timestamp, payload }) => ({
		event_id,
		type: event,
		created_at: timestamp,
		data: payload,
	}),
};

const IDS: Readonly<Record<Dialect['eventIds'], (id: string) => string>> = {
	padded: (id) => id,
	plain: (id) => id.replace(/^evt_0+(?=\d)/, 'evt_'),
};

/** Records of the event stream (`eventRecord`, `eventIds`). */
export const eventRecords: RecordStage = (record, { kind }, dialect) =>
	kind === 'event'
		? RECORDS[dialect.eventRecord]({
				...record,
				event_id: IDS[dialect.eventIds](String(record.event_id)),
			})
		: record;
