import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { recordOf } from '../../shared/api/answer';
import { createClient, type PlatformClient } from '../../shared/api/client';
import { withNodeErrors } from '../../shared/errors/nodeErrors';
import { lineItemsOf } from '../../shared/model/lineItems';
import { recordsNamed } from '../engine/naturalKey';
import { openItemsOf } from '../model/openItems';
import { NUMBER } from '../resources/order/orderId';
import { chosenIn, type Chosen } from './chosen';
import { join, matches, nameOf } from './labels';

/** Pages that are read for an order's number while somebody waits for the list. */
const MAX_PAGES = 4;

/** The line items of the order that is chosen, with the pieces that are not sent yet. */
export async function searchOpenItems(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const chosen = chosenIn(this, 'orderId');
	if (chosen === undefined)
		throw new Error('Which order it is shows only when the workflow runs. Use By ID.');
	const order = await withNodeErrors(this, { noun: 'order' }, async () =>
		orderNamed(await createClient(this), chosen),
	);
	const results = openLines(order).filter(({ name }) => matches(name, filter));
	return { results };
}

async function orderNamed(client: PlatformClient, { mode, value }: Chosen): Promise<IDataObject> {
	const orderId = mode === 'number' ? await idOfNumber(client, value) : value;
	const request = { method: 'GET', path: '/orders/{orderId}', pathParams: { orderId } } as const;
	return recordOf((await client.request(request)).body) ?? {};
}

async function idOfNumber(client: PlatformClient, number: string): Promise<string> {
	const key = { ...NUMBER, maxPages: MAX_PAGES };
	const { records } = await recordsNamed({ client, hint: () => undefined }, key, number);
	if (records.length === 1) return String(records[0].id);
	throw new Error(`The order with the number “${number}” was not found. Choose it From List.`);
}

/** Each open line as a person knows it. Where the order does not say what is open, all of its lines. */
export function openLines(order: IDataObject): INodeListSearchItems[] {
	const open = openItemsOf(order);
	const lines = (lineItemsOf(order) ?? []).map((line) => ({
		line,
		id: String(line.line_item_id ?? line.id),
	}));
	if ('problem' in open)
		return lines.map(({ line, id }) => ({ name: labelOf(line, id, ''), value: id }));
	const left = new Map(open.items.map((item) => [item.line_item_id, item.quantity]));
	return lines
		.filter(({ id }) => left.has(id))
		.map(({ line, id }) => ({
			name: labelOf(line, id, `${left.get(id)} of ${String(line.quantity)} open`),
			value: id,
		}));
}

/** e.g. `Linen Shirt · LIN-1 · 1 of 2 open` */
function labelOf(line: IDataObject, id: string, open: string): string {
	const called = join(nameOf(line) ?? line.product_title, line.sku);
	return join(called === '' ? id : called, open);
}
