import { DEFAULT_DIALECT, type Dialect } from '../../dialects/dialect';
import { formOf, shaped, type Fields } from '../../dialects/form';
import { batchAnswer } from './batch';
import { shapeError } from './errors';
import { shapeHeaders } from './headers';
import { shapeRecord } from './records';
import type { Answer } from '../call';
import type { Operation } from '../contract';

/** The body of a list, as openapi.yaml has it. */
interface ListBody {
	data: Fields[];
	pagination: Fields;
}

/** Turns an answer that fits openapi.yaml into the dialect's form. */
export function shapeAnswer(
	answer: Answer,
	operation: Operation | undefined,
	target: string,
	dialect: Dialect,
): Answer {
	if (dialect === DEFAULT_DIALECT) return answer;
	const shown = { ...answer, ...shapeStatusAndBody(answer, operation, target, dialect) };
	return { ...shown, headers: shapeHeaders(shown, operation, dialect) };
}

function shapeStatusAndBody(
	{ status, text, headers }: Answer,
	operation: Operation | undefined,
	target: string,
	dialect: Dialect,
): Partial<Answer> {
	if (text === undefined) return {};
	const body = JSON.parse(text) as unknown;
	if (status >= 400) return asText(shapeError(status, body, dialect));
	switch (operation?.answer.form) {
		case 'list':
			return asText({ status, body: shapeList(body as ListBody, operation, dialect) });
		case 'record':
			return shapeSingle({ status, headers }, (body as { data: Fields }).data, operation, {
				target,
				dialect,
			});
		case 'results':
			return asText(batchAnswer(body, dialect));
		default:
			return {};
	}
}

const asText = ({ status, body }: { status: number; body: unknown }) => ({
	status,
	text: body === undefined ? undefined : JSON.stringify(body),
});

/** A list (`listBody`, `eventList`, `pagination`). */
function shapeList(list: ListBody, { answer }: Operation, dialect: Dialect): unknown {
	const data = list.data.map((record) => shapeFields(record, answer, dialect));
	const body = { data, pagination: shaped('pagination', list.pagination, dialect) };
	if (answer.record === 'Event') return shaped('eventList', body, dialect);
	return answer.guarantee === 'shown' ? body : shaped('listBody', body, dialect);
}

/** Shapes a record. An endpoint without its secret may lack fields (`endpointFields`). */
function shapeFields(
	record: Fields,
	{ record: kind, guarantee }: Operation['answer'],
	dialect: Dialect,
): Fields {
	const shown = shapeRecord(record, kind, dialect);
	return kind === 'Webhook' && guarantee !== 'needed'
		? shaped('endpointFields', shown, dialect)
		: shown;
}

function shapeSingle(
	{ status: usualStatus, headers }: Answer,
	record: Fields,
	{ answer, method }: Operation,
	{ target, dialect }: { target: string; dialect: Dialect },
): Partial<Answer> {
	const { isCreate, guarantee } = answer;
	const status = isCreate && dialect.createStatus === 'ok' ? 200 : usualStatus;
	/** The status of a write that is answered without its record; 0 = the usual status. */
	const bodiless = formOf<number>('writeAnswer', dialect);
	if (method === 'GET' || guarantee === 'needed' || bodiless === undefined) {
		const data = shapeFields(record, answer, dialect);
		const isBare = guarantee !== 'shown' && dialect.recordBody === 'bare';
		return asText({ status, body: isBare ? data : { data } });
	}
	if (dialect.writeAnswer === 'location' && isCreate && record.id !== undefined) {
		const location = `${target.split('?')[0]}/${String(record.id)}`;
		return { status: 201, text: undefined, headers: { ...headers, location } };
	}
	return { status: bodiless || status, text: undefined };
}
