import { DEFAULT_DIALECT, type Dialect } from '../../dialects/dialect';
import { DOCUMENTED, type Documented } from './documented';
import { batchAnswer } from './batch';
import { eventRecords } from './events';
import { jobRecords } from './jobs';
import { listBody, type ListBody } from './lists';
import { placeOfTimes, recordTimes } from './times';
import type { Answer } from '../call';
import type { Fields, RecordStage } from './recordStage';

interface Shaped {
	status?: number;
	/** `undefined` = none. */
	body: unknown;
}

/** What happens to each record, in this order. */
const RECORD_STAGES: readonly RecordStage[] = [recordTimes, placeOfTimes, eventRecords, jobRecords];

const shapeRecord = (record: Fields, { kind }: Documented, dialect: Dialect): Fields =>
	RECORD_STAGES.reduce((shaped, stage) => stage(shaped, kind, dialect), record);

/**
 * Gives a successful answer, which fits openapi.yaml, the form that the dialect has for it.
 *
 * @param operationId names the operation in openapi.yaml.
 */
export function shapeAnswer(answer: Answer, operationId: string, dialect: Dialect): Answer {
	const documented = DOCUMENTED[operationId];
	if (dialect === DEFAULT_DIALECT || !documented || answer.status >= 300) return answer;
	if (answer.text === undefined) return answer;
	const body = JSON.parse(answer.text) as unknown;
	if (documented.form === 'results') return withBody(answer, batchAnswer(body, dialect));
	return withBody(answer, { body: shapeBody(body, documented, dialect) });
}

const withBody = (answer: Answer, { status = answer.status, body }: Shaped): Answer => ({
	...answer,
	status,
	text: body === undefined ? undefined : JSON.stringify(body),
});

function shapeBody(body: unknown, documented: Documented, dialect: Dialect): unknown {
	switch (documented.form) {
		case 'list': {
			const list = body as ListBody;
			const data = list.data.map((record) => shapeRecord(record, documented, dialect));
			return listBody({ ...list, data }, documented, dialect);
		}
		case 'record':
			return { data: shapeRecord((body as { data: Fields }).data, documented, dialect) };
		default:
			return body;
	}
}
