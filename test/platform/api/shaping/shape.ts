import { DEFAULT_DIALECT, type Dialect } from '../../dialects/dialect';
import { DOCUMENTED, type Documented } from './documented';
import { eventRecords } from './events';
import { listBody, type ListBody } from './lists';
import { placeOfTimes, recordTimes } from './times';
import type { Answer } from '../call';
import type { Fields, RecordStage } from './recordStage';

/** What happens to each record, in this order. */
const RECORD_STAGES: readonly RecordStage[] = [recordTimes, placeOfTimes, eventRecords];

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
	return { ...answer, text: JSON.stringify(shapeBody(body, documented, dialect)) };
}

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
