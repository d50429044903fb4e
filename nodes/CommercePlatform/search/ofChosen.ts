import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { createClient, type PlatformClient } from '../../shared/api/client';
import { newestFirst } from '../../shared/api/pages';
import { withNodeErrors } from '../../shared/errors/nodeErrors';
import { lineItemsOf } from '../../shared/model/records';
import { isObject } from '../../shared/values/json';
import { optionalText } from '../../shared/values/readers';
import { recordsNamed } from '../run/find';
import { openItemsOf } from '../model/openItems';
import { NUMBER } from '../resources/order/order';
import { join, matches, nameOf } from './labels';

/** What a resource locator of the node holds while the node is edited. */
interface Chosen {
	/** `list`, `id`, … */
	mode: string;
	value: string;
}

/**
 * What the user has chosen in a resource locator.
 *
 * @param parameter e.g. `orderId`
 * @returns undefined where nothing is chosen, or only a run knows it: an expression
 */
function chosenIn(context: ILoadOptionsFunctions, parameter: string): Chosen | undefined {
	const locator: unknown = context.getCurrentNodeParameter(parameter);
	if (!isObject(locator) || typeof locator.value !== 'string') return undefined;
	const value = optionalText(parameter, locator.value);
	if (value === undefined || value.startsWith('=')) return undefined;
	return { mode: String(locator.mode), value };
}

/** Records that are looked at for names: some leave out fields without a value. All of them are one request. */
const RECORDS = 10;

/** Written by the platform itself. */
const OF_THE_PLATFORM = ['id', 'created_at', 'updated_at'];

/** Records that show which fields there are, where the API document does not. */
interface Shown {
	/** The list of such records, e.g. `/customers`. */
	path: string;
	/** For messages. */
	noun: string;
	/** False where the API document gives the list no query. */
	takesQuery?: false;
	/** The resource locator of an operation on one record, e.g. `customerId`. */
	locator?: string;
	/** Fields that the operation has of its own. */
	own?: string[];
}

/**
 * Suggests the names of fields: those of the record that is chosen, else of the newest ones. What they hold is
 * not shown, since n8n keeps the label of what is chosen in the workflow.
 */
export function searchFieldNames(shown: Shown) {
	return async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const { noun } = shown;
		const records = await withNodeErrors(this, { noun }, async () =>
			recordsToShow(await createClient(this), shown, idIn(this, shown)),
		);
		if (records.length === 0)
			throw new Error(`Your shop has no ${noun} yet that shows its fields. Use “Name”.`);
		const results = [...fieldsOf(records, shown)]
			.filter(([name]) => matches(name, filter))
			.map(([name, type]) => ({ name: join(name, type), value: name }));
		return { results };
	};
}

function idIn(context: ILoadOptionsFunctions, { locator }: Shown): string | undefined {
	const chosen = locator === undefined ? undefined : chosenIn(context, locator);
	return chosen?.mode === 'list' || chosen?.mode === 'id' ? chosen.value : undefined;
}

async function recordsToShow(
	client: PlatformClient,
	{ path, takesQuery }: Shown,
	id?: string,
): Promise<IDataObject[]> {
	if (id !== undefined) return [await recordWith(client, path, id)];
	const list = { method: 'GET', path } as const;
	const limits = { limit: RECORDS, takesQuery };
	const pages =
		takesQuery === false ? client.pages(list, limits) : newestFirst(client, list, limits);
	for await (const { records } of pages) return records;
	return [];
}

/** Each field's name, with the Type under which it is entered; without one where no record has a value. */
function fieldsOf(records: IDataObject[], { own = [] }: Shown): Map<string, string> {
	const fields = new Map<string, string>();
	for (const record of records) {
		for (const [name, value] of Object.entries(record)) {
			if (OF_THE_PLATFORM.includes(name) || own.includes(name)) continue;
			if (!fields.get(name)) fields.set(name, typeOf(value));
		}
	}
	return fields;
}

const TYPES: Partial<Record<string, string>> = {
	boolean: 'Boolean',
	number: 'Number',
	object: 'JSON',
	string: 'Text',
};

const typeOf = (value: unknown): string => (value === null ? '' : (TYPES[typeof value] ?? ''));

/** Pages that are read for an order's number while somebody waits for the list. */
const MAX_PAGES = 4;

/** The line items of the order that is chosen, with the pieces that are not sent yet. */
export async function searchOpenItems(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const chosen = chosenIn(this, 'orderId');
	if (chosen === undefined)
		throw new Error('Which order it is shows only when the workflow runs. Use “ID”.');
	const order = await withNodeErrors(this, { noun: 'order' }, async () =>
		orderNamed(await createClient(this), chosen),
	);
	const results = openLines(order).filter(({ name }) => matches(name, filter));
	return { results };
}

async function orderNamed(client: PlatformClient, { mode, value }: Chosen): Promise<IDataObject> {
	const orderId = mode === 'number' ? await idOfNumber(client, value) : value;
	return await recordWith(client, '/orders', orderId);
}

async function recordWith(client: PlatformClient, list: string, id: string): Promise<IDataObject> {
	const path = `${list}/{id}`;
	const { record } = await client.request({ method: 'GET', path, pathParams: { id } });
	return record ?? {};
}

async function idOfNumber(client: PlatformClient, number: string): Promise<string> {
	const key = { ...NUMBER, maxPages: MAX_PAGES };
	const { records } = await recordsNamed({ client, hint: () => undefined }, key, number);
	if (records.length === 1) return String(records[0].id);
	throw new Error(`The order with the number “${number}” was not found. Choose it From List.`);
}

/** Each open line as a person knows it. Where the order does not say what is open, all of its lines. */
export function openLines(order: IDataObject): INodeListSearchItems[] {
	const open = openPieces(order);
	return (lineItemsOf(order) ?? []).flatMap((line) => {
		const id = String(line.line_item_id ?? line.id);
		if (open === undefined) return [{ name: labelOf(line, id, ''), value: id }];
		const left = open.get(id);
		if (left === undefined) return [];
		return [{ name: labelOf(line, id, `${left} of ${String(line.quantity)} open`), value: id }];
	});
}

function openPieces(order: IDataObject): Map<string, number> | undefined {
	try {
		return new Map(openItemsOf(order).map((item) => [item.line_item_id, item.quantity]));
	} catch {
		return undefined;
	}
}

/** e.g. `Linen Shirt · LIN-1 · 1 of 2 open` */
function labelOf(line: IDataObject, id: string, open: string): string {
	const called = join(nameOf(line) ?? line.product_title, line.sku);
	return join(called === '' ? id : called, open);
}
