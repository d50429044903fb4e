import type { Dialect } from '../../dialects/dialect';
import type { Documented } from './documented';
import type { Fields } from './recordStage';

/** The body of a list as the contract has it. */
export interface ListBody {
	data: Fields[];
	pagination: { limit: number; next_cursor: string | null; has_more: boolean };
}

type ListForm = (body: ListBody) => unknown;

const EVENT_LISTS: Readonly<Record<Dialect['eventList'], ListForm>> = {
	wrapped: (body) => body,
	withoutPagination: ({ data }) => ({ data }),
	bare: ({ data }) => data,
};

const PAGINATIONS: Readonly<
	Record<Dialect['pagination'], (pagination: ListBody['pagination']) => Fields>
> = {
	complete: (pagination) => pagination,
	withoutHasMore: ({ limit, next_cursor }) => ({ limit, next_cursor }),
	cursorOnly: ({ next_cursor }) => (next_cursor === null ? {} : { next_cursor }),
};

/** The body of a list in the dialect's form (`listBody`, `eventList`, `pagination`). */
export function listBody(body: ListBody, documented: Documented, dialect: Dialect): unknown {
	const { data } = body;
	const isBare = !documented.isShown && dialect.listBody === 'bare';
	if (documented.kind !== 'event' && isBare) return data;
	const paged = { data, pagination: PAGINATIONS[dialect.pagination](body.pagination) };
	return documented.kind === 'event' ? EVENT_LISTS[dialect.eventList](paged as ListBody) : paged;
}
