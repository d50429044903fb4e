import type { IDataObject } from 'n8n-workflow';

import type { Dialect } from '../../../platform/dialects/dialect';
import type { Mistake } from '../mistakes/mistake';
import type { Fixtures } from '../shop';

/** One operation as a user would set it up, what must be on the wire, and what must come out. */
export interface Case {
	/** e.g. `order.cancel` */
	operation: string;
	/** What is special about it, where an operation has several cases. */
	note?: string;
	parameters(fixtures: Fixtures): IDataObject;
	/** Routes in the order in which they are sent. */
	routes: string[];
	/** Of the request that does the work: the first write, or the last read. */
	query?(fixtures: Fixtures): Record<string, string>;
	body?(fixtures: Fixtures): unknown;
	headers?: Record<string, string>;
	/** Every output item holds this, in each dialect. A later case of an operation without it gives what its first does. */
	item?(fixtures: Fixtures, dialect: Dialect): IDataObject;
	/** The item holds it also where the platform answers a write without a record; others then say success. */
	isOwn?: true;
	/** Output items; 1 if absent. */
	count?: number;
	/** Of the first case: what the operation needs at least, where that is more than a record. */
	least?: IDataObject;
	/** Ways to fill it wrongly that are its own; what can be wrong with any operation is tried without it. */
	mistakes?: Array<Omit<Mistake, 'operation'>>;
}

/** A record of a kind, e.g. `cust`. */
export const idOf = (prefix: string) => () => ({
	id: expect.stringMatching(`^${prefix}_`) as string,
});

/** Every common filter of a list, as the editor holds it, and what it must become. */
export const LIST_QUERY = {
	created_since: '2020-01-01T00:00:00.000Z',
	created_until: '2036-01-01T00:00:00.000Z',
	updated_since: '2020-01-01T00:00:00.000Z',
	sort: 'updated_at:desc',
};

export const LIST_FILTERS = {
	created_since: '2020-01-01T00:00:00Z',
	created_until: '2036-01-01T01:00:00+01:00',
	updated_since: '2020-01-01T00:00:00.000Z',
	sort: { by: { field: 'updated_at', direction: 'desc' } },
};

/** Items of a batch that are to go out by themselves have different SKUs. */
export const OWN_SKU = '={{ $json.own }}';

/** One row of fields by name. */
export const FIELDS = { field: [{ name: 'a', type: 'string', value: 'x' }] };
