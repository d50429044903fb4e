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

/** The body of a list in the dialect's form. */
export function listBody(body: ListBody, documented: Documented, dialect: Dialect): unknown {
	if (documented.kind === 'event') return EVENT_LISTS[dialect.eventList](body);
	return body;
}
