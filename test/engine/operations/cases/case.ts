import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../../../../nodes/CommercePlatform/runner/operation';
import { resources } from '../../../../nodes/CommercePlatform/CommercePlatform.node.ts';
import type { Dialect } from '../../../../platform/dialects/dialect';
import { byId } from '../../../support/parameters';
import type { Fixtures } from '../shop';

/**
 * An operation as a user would set it up, its requests, and its output. The samples have the output; a case has it only
 * if there is no sample, or if it comes from the platform's answer.
 */
export interface Case {
	/** e.g. `order.cancel` */
	operation: string;
	/** The operation, and the particulars if it has several cases: `order.refund, of everything`. */
	name: string;
	parameters(fixtures: Fixtures): IDataObject;
	/** Routes in the order of the requests. */
	routes: string[];
	/** The body of the first write. */
	body?(fixtures: Fixtures): unknown;
	/** Fields that every output item has, in each dialect. */
	item(fixtures: Fixtures, dialect: Dialect): IDataObject;
	/** Output items; 1 if absent. */
	count?: number;
	/** For the first case: the least parameters that the operation needs. The record is added to them. */
	least: IDataObject;
}

/**
 * Cases by their names. Missing parts follow from the operation: its record is named by ID and is the output of its one
 * request. A further case of an operation has the output of the first.
 */
export function casesOf(cases: Record<string, Partial<Omit<Case, 'name' | 'operation'>>>): Case[] {
	return Object.entries(cases).map(([name, one]) => {
		const [operation] = name.split(', ');
		const ofAny = derived(operation);
		const { item = ofAny.item } = cases[operation];
		return {
			...ofAny,
			item,
			...one,
			name,
			operation,
			least: { ...ofAny.least, ...one.least },
			parameters: (fixtures) => ({ ...ofAny.parameters(fixtures), ...one.parameters?.(fixtures) }),
		};
	});
}

/** The ID of a record of a kind, e.g. `cust`. */
export const idOf = (prefix: string) => () => ({
	id: expect.stringMatching(`^${prefix}_`) as string,
});

/** Every common filter of a list, as the editor stores it. */
export const LIST_FILTERS = {
	created_since: '2020-01-01T00:00:00Z',
	created_until: '2036-01-01T01:00:00+01:00',
	updated_since: '2020-01-01T00:00:00.000Z',
};

/** The order of a list, as the editor stores it. */
export const SORT = { by: { field: 'updated_at', direction: 'desc' } };

/** Items of a batch that are sent separately have different SKUs. */
export const OWN_SKU = '={{ $json.own }}';

/** One row of fields by name. */
export const FIELDS = { field: [{ name: 'a', type: 'string', value: 'x' }] };

/** An operation by its name, e.g. `order.cancel`. */
export function operationOf(name: string): Operation {
	const [resource, operation] = name.split('.');
	const { operations = [] } = resources.find(({ value }) => value === resource) ?? {};
	const found = operations.find(({ option }) => option.value === operation);
	if (found === undefined) throw new Error(`There is no operation ${name}`);
	return found;
}

/** The parts of a case that follow from the operation's description. */
function derived(name: string): Pick<Case, 'item' | 'least' | 'parameters' | 'routes'> {
	const resource = name.split('.')[0] as keyof Fixtures;
	const { option, fields } = operationOf(name);
	const { method, url } = option.routing.request;
	const isDelete = method === 'DELETE';
	const locator = fields.find(({ type }) => type === 'resourceLocator')?.name;
	const about = (id: string) => (locator === undefined ? {} : { [locator]: byId(id) });
	return {
		parameters: (fixtures) => about(fixtures[resource]),
		least: about('rec_1'),
		routes: [`${method} ${url.replace(/\{\w+\}/, '{id}')}`],
		// A DELETE is answered 204 (API document, "Conventions"), so the node itself says what was deleted.
		item: (fixtures) => ({ id: fixtures[resource], ...(isDelete && { deleted: true }) }),
	};
}
