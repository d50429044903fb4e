import type { IDataObject } from 'n8n-workflow';

import { saysExtent } from '../../../nodes/CommercePlatform/resources/order/saysExtent';
import { parseForSending } from '../../../nodes/shared/values/json';

/** Bodies of refunds as platforms may take them; which names a platform knows is not shown. */
const SAYING: IDataObject[] = [
	{ amount: 500 },
	{ betrag: 500, grund: 'Defekt' },
	{ amount: '10.00', currency: 'EUR' },
	{ amount: '10.00 EUR' },
	{ amount: { amount: 500, currency: 'EUR' } },
	{ refund: { money: { minor: 1 } } },
	{ amount: 0, lines: [{ line_item_id: 'li_1', quantity: 1 }] },
	{ line_items: [{ line_item_id: 'li_1' }] },
	{ line_items: [{ id: 'li_1', tax_amount: 0 }] },
	{ line_items: ['li_1'] },
	{ lineItemIds: ['li_1', 'li_2'] },
	{ line_item_id: 17 },
	{ sku: 'SHIRT-M' },
	{ full: true },
	{ refund_all: true },
	{ type: 'full' },
	{ extent: 'Full refund' },
	parseForSending('{ "amount": 12345678901234567890 }') as IDataObject,
];

const SILENT: IDataObject[] = [
	{},
	{ reason: 'Damaged' },
	{ reason: '4 pieces are damaged' },
	{ reason: 'full of holes', notify: true },
	{ amount: 0 },
	{ amount: '0,00', currency: 'EUR' },
	{ quantity: 0, sku: 'SHIRT-M' },
	{ line_items: [] },
	{ line_items: [{}] },
	{ line_items: [{ line_item_id: '', quantity: null }] },
	{ line_items: [{ line_item_id: 'li_1', quantity: '0' }] },
	{ full: false },
	{ order_number: 1041, payment_id: '77', requestedAt: 1763812800 },
	{ note: null, details: { tags: ['broken', ''], nothing: {} } },
];

describe('what says how much is refunded', () => {
	it.each(SAYING.map((body) => [String(JSON.stringify(body)), body] as const))(
		'%s does',
		(_written, body) => expect(saysExtent(body)).toBe(true),
	);

	it.each(SILENT.map((body) => [String(JSON.stringify(body)), body] as const))(
		'%s does not',
		(_written, body) => expect(saysExtent(body)).toBe(false),
	);
});
