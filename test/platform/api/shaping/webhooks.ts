import type { Dialect } from '../../dialects/dialect';
import type { Fields, RecordStage } from './recordStage';

const STATUS_WORDS: Readonly<Record<Dialect['endpointStatus'], Readonly<Record<string, string>>>> =
	{
		enabled: {},
		active: { enabled: 'ACTIVE', disabled: 'PAUSED' },
		pending: { enabled: 'pending', disabled: 'off' },
	};

const LATER_FIELDS: Readonly<Record<Dialect['endpointFields'], (endpoint: Fields) => Fields>> = {
	complete: (endpoint) => endpoint,
	sparse: ({ id, url, events }) => ({ id, url, events }),
};

/** Records of webhook endpoints (`endpointStatus`, `endpointFields`). */
export const webhookRecords: RecordStage = (record, { kind, isNeeded }, dialect) => {
	if (kind !== 'webhook') return record;
	const { status } = record;
	const worded =
		typeof status === 'string'
			? { ...record, status: STATUS_WORDS[dialect.endpointStatus][status] ?? status }
			: record;
	return isNeeded ? worded : LATER_FIELDS[dialect.endpointFields](worded);
};
