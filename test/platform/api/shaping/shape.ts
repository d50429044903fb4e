import { DEFAULT_DIALECT, type By, type Dialect } from '../../dialects/dialect';
import { batchAnswer } from './batch';
import { shapeError } from './errors';
import { shapeHeaders } from './headers';
import { shapeRecord, type Fields } from './records';
import type { Answer } from '../call';
import type { Operation } from '../contract';

/** The body of a list as the contract has it. */
interface ListBody {
	data: Fields[];
	pagination: { limit: number; next_cursor: string | null; has_more: boolean };
}

/** Gives an answer, which fits openapi.yaml, the form that the dialect has for it. */
export function shapeAnswer(
	answer: Answer,
	operation: Operation | undefined,
	target: string,
	dialect: Dialect,
): Answer {
	if (dialect === DEFAULT_DIALECT) return answer;
	const shaped = { ...answer, ...shapeStatusAndBody(answer, operation, target, dialect) };
	return { ...shaped, headers: shapeHeaders(shaped, operation, dialect) };
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
			return shapeOne({ status, headers }, (body as { data: Fields }).data, operation, {
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

const LISTS: By<'eventList', (body: { data: Fields[]; pagination: Fields }) => unknown> = {
	wrapped: (body) => body,
	withoutPagination: ({ data }) => ({ data }),
	bare: ({ data }) => data,
};

const PAGINATIONS: By<'pagination', (pagination: ListBody['pagination']) => Fields> = {
	complete: (pagination) => pagination,
	withoutHasMore: ({ limit, next_cursor }) => ({ limit, next_cursor }),
	cursorOnly: ({ next_cursor }) => (next_cursor === null ? {} : { next_cursor }),
};

/** A list (`listBody`, `eventList`, `pagination`). */
function shapeList(list: ListBody, { answer }: Operation, dialect: Dialect): unknown {
	const data = list.data.map((record) => shapeFields(record, answer, dialect));
	const pagination = PAGINATIONS[dialect.pagination](list.pagination);
	const form = answer.said === 'shown' ? 'wrapped' : dialect.listBody;
	return LISTS[answer.record === 'Event' ? dialect.eventList : form]({ data, pagination });
}

/** A record; answers to webhooks that carry no secret may lack fields (`endpointFields`). */
function shapeFields(
	record: Fields,
	{ record: kind, said }: Operation['answer'],
	dialect: Dialect,
) {
	const shaped = shapeRecord(record, kind, dialect);
	if (kind !== 'Webhook' || said === 'needed' || dialect.endpointFields === 'complete') {
		return shaped;
	}
	const { id, url, events } = shaped;
	return { id, url, events };
}

/** The status of a write that is answered without its record (`writeAnswer`). */
const BODILESS: By<'writeAnswer', ((status: number) => number) | undefined> = {
	record: undefined,
	empty: (status) => status,
	accepted: () => 202,
	noContent: () => 204,
	location: () => 204,
};

function shapeOne(
	{ status: made, headers }: Answer,
	record: Fields,
	{ answer, method }: Operation,
	{ target, dialect }: { target: string; dialect: Dialect },
): Partial<Answer> {
	const { isCreate, said } = answer;
	const status = isCreate && dialect.createStatus === 'ok' ? 200 : made;
	const bodiless = BODILESS[dialect.writeAnswer];
	if (method === 'GET' || said === 'needed' || !bodiless) {
		const shaped = shapeFields(record, answer, dialect);
		const isBare = said !== 'shown' && dialect.recordBody === 'bare';
		return asText({ status, body: isBare ? shaped : { data: shaped } });
	}
	if (dialect.writeAnswer === 'location' && isCreate && record.id !== undefined) {
		const location = `${target.split('?')[0]}/${String(record.id)}`;
		return { status: 201, text: undefined, headers: { ...headers, location } };
	}
	return { status: bodiless(status), text: undefined };
}
