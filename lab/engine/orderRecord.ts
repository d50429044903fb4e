import { settings } from './settings';
import { shown, snakeCase, without, type Json } from './values';

export interface OrderLine {
	id: string;
	quantity: number;
	proratedUnitPriceWithTax: number;
	fulfillmentLines: Array<{ fulfillmentId: string; quantity: number }>;
}

export interface Refund {
	state: string;
	total: number;
}

export interface Payment {
	id: string;
	amount: number;
	state: string;
	refunds: Refund[];
}

export interface Fulfillment {
	id: string;
	state: string;
	trackingCode: string;
}

export interface Order {
	id: string;
	state: string;
	code: string;
	currencyCode: string;
	totalWithTax: number;
	customFields: { merchantNote: string | null };
	/** Only of a single order. */
	nextStates?: string[];
	lines?: OrderLine[];
	payments?: Payment[];
	fulfillments?: Fulfillment[];
	shippingLines?: Array<{ shippingMethod: { name: string } }>;
}

const ADDRESS =
	'fullName company streetLine1 streetLine2 city province postalCode country countryCode phoneNumber';
const DISCOUNTS = 'discounts { adjustmentSource type description amount amountWithTax }';
const LINE = `id createdAt updatedAt productVariant { id sku name productId } unitPrice unitPriceWithTax discountedUnitPriceWithTax proratedUnitPriceWithTax quantity orderPlacedQuantity taxRate linePrice linePriceWithTax discountedLinePriceWithTax ${DISCOUNTS} taxLines { description taxRate } fulfillmentLines { orderLineId quantity fulfillmentId }`;
export const FULFILLMENT_FIELDS =
	'id createdAt updatedAt state method trackingCode lines { orderLineId quantity } nextStates';
export const REFUND_FIELDS =
	'id createdAt updatedAt items shipping adjustment total method state transactionId reason lines { orderLineId quantity refundId } paymentId';
export const ORDER_FIELDS = `id createdAt updatedAt type orderPlacedAt code state active currencyCode totalQuantity subTotal subTotalWithTax shipping shippingWithTax totalWithTax couponCodes customer { id title firstName lastName emailAddress } customFields { merchantNote }`;
export const WHOLE_ORDER_FIELDS = `${ORDER_FIELDS} nextStates shippingAddress { ${ADDRESS} } billingAddress { ${ADDRESS} } lines { ${LINE} } surcharges { id description sku price priceWithTax taxRate } ${DISCOUNTS} promotions { id name couponCode } payments { id createdAt updatedAt transactionId amount method state errorMessage refunds { ${REFUND_FIELDS} } } fulfillments { ${FULFILLMENT_FIELDS} } shippingLines { id shippingMethod { id code name } price priceWithTax discountedPrice discountedPriceWithTax } taxSummary { description taxRate taxBase taxTotal }`;
/** The engine's states. The document has words for three of them; the others keep the engine's. */
export const STATES =
	'Created Draft AddingItems ArrangingPayment PaymentAuthorized PaymentSettled PartiallyShipped Shipped PartiallyDelivered Delivered Modifying ArrangingAdditionalPayment Cancelled'.split(
		' ',
	);
const WORDS: Record<string, string> = {
	PaymentSettled: 'paid',
	Shipped: 'fulfilled',
	Cancelled: 'cancelled',
};
export const statusOf = (state: string): string => WORDS[state] ?? snakeCase(state);

const lineId = (id: unknown): string => `li_${String(id)}`;
const withLineIds = (lines: unknown): Json[] =>
	((lines ?? []) as Json[]).map((line) => ({ ...line, order_line_id: lineId(line.order_line_id) }));

/** A parcel, in the engine's names alone or in the document's as well. */
export function fulfillmentRecord(fulfillment: Fulfillment): Json {
	const record = shown(fulfillment) as Json;
	const lines = withLineIds(record.lines);
	if (settings.names === 'engine') return { ...record, lines };
	const items = lines.map((line) => ({
		line_item_id: line.order_line_id,
		quantity: line.quantity,
	}));
	return { ...record, lines, items, tracking_number: record.tracking_code };
}

export function refundRecord(refund: Refund, currency: string): Json {
	const record = shown(refund, currency) as Json;
	const lines = withLineIds(record.lines);
	if (settings.names === 'engine') return { ...record, lines };
	return { ...record, lines, amount: refund.total, currency };
}

export const paidAmount = (order: Order): number =>
	(order.payments ?? [])
		.filter(({ state }) => state === 'Settled')
		.reduce((sum, { amount }) => sum + amount, 0);

export const refundedAmount = ({ refunds }: Payment): number =>
	refunds.filter(({ state }) => state !== 'Failed').reduce((sum, { total }) => sum + total, 0);

export function orderRecord(order: Order): Json {
	const currency = order.currencyCode;
	const { lines, ...record } = without(shown(order, currency) as Json, 'custom_fields');
	const listed = {
		...record,
		id: `ord_${order.id}`,
		status: statusOf(order.state),
		total: { amount: order.totalWithTax, currency },
		currency,
		merchant_note: order.customFields.merchantNote,
	};
	if (order.lines === undefined) return listed;
	const payments = order.payments ?? [];
	const fulfillments = (order.fulfillments ?? []).map(fulfillmentRecord);
	const refunded = payments.reduce((sum, payment) => sum + refundedAmount(payment), 0);
	return {
		...listed,
		line_items: (lines as Json[]).map(({ id, fulfillment_lines: parts, ...line }) => ({
			line_item_id: lineId(id),
			...line,
			fulfillment_lines: withLineIds(parts),
		})),
		totals: { sub_total_with_tax: record.sub_total_with_tax, total_with_tax: listed.total },
		payments: payments.map(({ refunds, ...payment }) => ({
			...(shown(payment, currency) as Json),
			refunds: refunds.map((refund) => refundRecord(refund, currency)),
		})),
		payment_summary: {
			state: payments[0]?.state ?? null,
			total_paid: { amount: paidAmount(order), currency },
			total_refunded: { amount: refunded, currency },
		},
		fulfillments,
		fulfillment_state:
			settings.names === 'engine' ? { state: order.state, fulfillments } : { fulfillments },
	};
}
