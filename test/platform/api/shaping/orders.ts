import type { Dialect } from '../../dialects/dialect';
import { renamed, type RecordStage } from './recordStage';

const FIELDS: Readonly<Record<Dialect['orderFields'], Readonly<Record<string, string>>>> = {
	snake: {},
	camel: {
		line_items: 'lineItems',
		payment_summary: 'paymentSummary',
		fulfillment_state: 'fulfillmentState',
	},
	short: { line_items: 'items', payment_summary: 'payment', fulfillment_state: 'fulfillment' },
};

/** Word for an order that is not paid yet, the only one that no event and no filter names. */
export const UNPAID_WORDS: Readonly<Record<Dialect['orderWords'], string>> = {
	created: 'created',
	pending: 'pending_payment',
};

/** The status of an order in this platform's words. */
export const statusWord = (status: unknown, { orderWords }: Dialect): unknown =>
	status === 'created' ? UNPAID_WORDS[orderWords] : status;

/** Records of orders (`orderFields`, `orderWords`). */
export const orderRecords: RecordStage = (record, { kind }, dialect) =>
	kind === 'order'
		? renamed(
				{ ...record, status: statusWord(record.status, dialect) },
				FIELDS[dialect.orderFields],
			)
		: record;
