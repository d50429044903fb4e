import { DEFAULT_DIALECT, type Dialect } from '../../dialects/dialect';
import { batchAnswer } from './batch';
import { DOCUMENTED, type Documented } from './documented';
import { shapeError } from './errors';
import { eventRecords } from './events';
import { freeFields } from './freeFields';
import { shapeHeaders } from './headers';
import { jobRecords } from './jobs';
import { levelRecords } from './levels';
import { listBody, type ListBody } from './lists';
import { orderRecords } from './orders';
import { personalData } from './personalData';
import { placeOfTimes, recordTimes } from './times';
import { webhookRecords } from './webhooks';
import { createStatus, writeAnswer } from './writes';
import type { Answer } from '../call';
import type { Fields, RecordStage } from './recordStage';

/** What happens to each record, in this order. */
const RECORD_STAGES: readonly RecordStage[] = [
	personalData,
	recordTimes,
	placeOfTimes,
	freeFields,
	orderRecords,
	levelRecords,
	webhookRecords,
	jobRecords,
	eventRecords,
];

/** The request that is answered. */
export interface Asked {
	/** Names the operation in openapi.yaml; absent where none is meant. */
	operationId?: string;
	method: string;
	target: string;
}

/** Gives an answer, which fits openapi.yaml, the form that the dialect has for it. */
export function shapeAnswer(answer: Answer, asked: Asked, dialect: Dialect): Answer {
	if (dialect === DEFAULT_DIALECT) return answer;
	const shaped = shapeStatusAndBody(answer, asked, dialect);
	return shapeHeaders(shaped, { ...asked, dialect });
}

const shapeRecord = (record: Fields, documented: Documented, dialect: Dialect): Fields =>
	RECORD_STAGES.reduce((shaped, stage) => stage(shaped, documented, dialect), record);

function shapeStatusAndBody(answer: Answer, asked: Asked, dialect: Dialect): Answer {
	if (answer.text === undefined) return answer;
	const body = JSON.parse(answer.text) as unknown;
	if (answer.status >= 400) return withBody(answer, shapeError(answer.status, body, dialect));
	const documented = DOCUMENTED[asked.operationId ?? ''];
	switch (documented?.form) {
		case 'list':
			return withBody(answer, { body: shapeList(body as ListBody, documented, dialect) });
		case 'record':
			return shapeRecordAnswer(answer, (body as { data: Fields }).data, documented, {
				...asked,
				dialect,
			});
		case 'results':
			return withBody(answer, batchAnswer(body, dialect));
		default:
			return answer;
	}
}

function shapeList(list: ListBody, documented: Documented, dialect: Dialect): unknown {
	const data = list.data.map((record) => shapeRecord(record, documented, dialect));
	return listBody({ ...list, data }, documented, dialect);
}

function shapeRecordAnswer(
	answer: Answer,
	record: Fields,
	documented: Documented,
	{ dialect, method, target }: Asked & { dialect: Dialect },
): Answer {
	const shaped = shapeRecord(record, documented, dialect);
	const isBare = !documented.isShown && dialect.recordBody === 'bare';
	const whole = withBody(answer, {
		status: createStatus(answer.status, documented, dialect),
		body: isBare ? shaped : { data: shaped },
	});
	return method === 'GET'
		? whole
		: writeAnswer(whole, documented, { dialect, target, id: record.id });
}

const withBody = (
	answer: Answer,
	{ status = answer.status, body }: { status?: number; body: unknown },
): Answer => ({
	...answer,
	status,
	text: body === undefined ? undefined : JSON.stringify(body),
});
