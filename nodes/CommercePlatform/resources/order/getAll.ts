import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/errors/errors';
import { decimalAmounts } from '../../../shared/fields';
import { lineItemsOf, simplifyOrder } from '../../../shared/model/records';
import { isObject } from '../../../shared/values/json';
import { minorToMajor } from '../../../shared/values/money';
import { textList } from '../../../shared/values/readers';
import type { ListCall, ListPage, PlannedItem, Rows } from '../../run/operation';
import { textField } from '../../fields/build';
import { COMMON_FILTERS, filters, knownStates } from '../../fields/filters';
import { CHANGES_TRIGGER, optionsOf } from '../../fields/options';
import { orderNumberOf, placedAt } from '../../model/orderNames';
import { getMany } from '../operation';
import { ORDERS } from './order';

const LINE_ITEMS = 'lineItems';
const TOTALS = 'totals';

/** A line with what it takes of its order to stand alone; the line’s own fields stay as they are. */
function rowsOf(order: IDataObject): IDataObject[] {
	const { id, status, total, currency, updated_at: updatedAt } = order;
	const ofOrder: IDataObject = {
		order_id: id,
		order_number: orderNumberOf(order),
		order_status: status,
		currency: isObject(total) ? total.currency : currency,
		order_created_at: placedAt(order),
		order_updated_at: updatedAt,
	};
	for (const name of Object.keys(ofOrder)) if (ofOrder[name] === undefined) delete ofOrder[name];
	return (lineItemsOf(order) ?? []).map((line) => ({ ...ofOrder, ...line }));
}

/** One item a line (API document, "Order": line items are "included on get"). */
const lineItemRows: Rows = {
	output: LINE_ITEMS,
	of: rowsOf,
	isWhole: (order) => lineItemsOf(order) !== undefined,
	missing: 'Orders of which the platform shows no line items, so that they have no item here:',
	recordPath: '/orders/{id}',
};

const statuses = textField(
	'Statuses in Totals',
	'statusesInTotals',
	'For the output Totals by Currency: only orders with these statuses count, separated by commas; all of them if left out',
	{ example: 'paid, fulfilled' },
);

/** A sum over a part of the list would pass for that of all. */
function checkWhole({ item }: PlannedItem): void {
	const { output, startCursor, maxPages } = optionsOf(item);
	if (output !== TOTALS) return;
	const isAll = String(item.parameter('returnAll', false)) === 'true';
	if (isAll && startCursor === undefined && maxPages === undefined) return;
	throw new InputError(
		'Output',
		'gives totals of the whole list only',
		'Nothing was sent. Switch “Return All” on, and leave “Start Cursor” and “Max Pages” out.',
	);
}

/**
 * The orders of the list by currency: how many, and the exact sum of their totals, in minor units and as text. Orders
 * that show no total (API document, "Order") are counted by themselves.
 *
 * @throws InputError, PlatformError
 */
async function* totalsOf(call: ListCall): AsyncIterable<ListPage> {
	const wanted = textList(statuses.displayName, optionsOf(call.item).statusesInTotals);
	const sums = new Map<string | null, { orders: number; amount: number }>();
	for await (const page of call.pages()) {
		if (page.response?.status === 304) yield page;
		for (const { status, total } of page.records) {
			if (wanted.length > 0 && !wanted.includes(String(status))) continue;
			const { amount, currency } = isObject(total) ? total : {};
			const isKnown = Number.isSafeInteger(amount) && typeof currency === 'string';
			const of = isKnown ? currency : null;
			const sum = sums.get(of) ?? { orders: 0, amount: 0 };
			sums.set(of, { orders: sum.orders + 1, amount: sum.amount + (isKnown ? Number(amount) : 0) });
		}
	}
	const rows = [...sums].map(([currency, { orders, amount }]): IDataObject => {
		if (currency === null) return { currency, orders, amount: null, text: null };
		if (Number.isSafeInteger(amount))
			return { currency, orders, amount, text: minorToMajor(amount, currency) ?? null };
		throw new InputError('Output', `gives a total of ${currency} that is too large to be exact`);
	});
	yield { records: rows };
}

export const getAll = getMany(ORDERS, {
	cheaperWay: CHANGES_TRIGGER,
	simplify: simplifyOrder,
	newestFirst: true,
	rows: lineItemRows,
	check: checkWhole,
	run: (call) => (optionsOf(call.item).output === TOTALS ? totalsOf(call) : call.pages()),
	fields: filters(COMMON_FILTERS, {
		status: knownStates('orders', ['cancelled', 'fulfilled', 'paid']),
		sort: {
			description:
				'The order of the records. Without it, a Limit gives the orders that changed last, and Return All keeps the platform’s order.',
		},
	}),
	options: [decimalAmounts, statuses],
	outputs: [
		{
			name: 'Line Items',
			value: LINE_ITEMS,
			description:
				'One item per line, with its order’s ID, number, status, currency and dates. Limit counts orders. Lines not listed cost a request per order.',
		},
		{
			name: 'Totals by Currency',
			value: TOTALS,
			description: 'One item per currency: how many orders, and the exact sum of their totals',
		},
	],
});
