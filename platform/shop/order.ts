import { generated, type RecordOf } from './collection';
import { personOf } from './customer';
import { convert, skuOf, variantCount, type Money } from './product';
import { mix, pick } from './random';
import { THINGS } from './words';
import type { IdCodec } from './ids';

export type OrderStatus = 'created' | 'paid' | 'fulfilled' | 'cancelled';

export interface LineItem {
	line_item_id: string;
	sku: string;
	title: string;
	quantity: number;
	fulfilled_quantity: number;
	price: Money;
}

/** An order with the fields that only `get` shows (line items, totals, payment, fulfilment). */
export type Order = RecordOf<typeof orderSource>;

const SHIPPING_CENTS = 490;
const CURRENCIES = ['EUR', 'EUR', 'EUR', 'USD', 'JPY', 'KWD'] as const;
/** Of ten orders: one unpaid, four paid, four fulfilled, one cancelled. */
const STATUSES: readonly OrderStatus[] = [
	'created',
	...Array<OrderStatus>(4).fill('paid'),
	...Array<OrderStatus>(4).fill('fulfilled'),
	'cancelled',
];

/** Generated orders of one to three lines for generated products and customers. */
export const orderSource = (
	size: number,
	seed: number,
	make: ReturnType<typeof orderMaker>,
	today: number,
) =>
	generated(size, today, (n, times) => ({
		...make(n, pick(STATUSES, mix(seed, n, 30))),
		...times,
	}));

/** Makes the generated orders, without their times, and the orders that are placed while the platform runs. */
export function orderMaker(
	{ seed, products, customers }: { seed: number; products: number; customers: number },
	ids: { orders: IdCodec; customers: IdCodec },
) {
	return (n: number, status: OrderStatus) => {
		const id = ids.orders.encode(n);
		const currency = pick(CURRENCIES, mix(seed, n, 31));
		const customer = customers > 0 ? mix(seed, n, 32) % customers : n;
		const { email, first_name, last_name, address } = personOf(seed, customer);
		const lines = Array.from({ length: (mix(seed, n, 33) % 3) + 1 }, (_, k): LineItem => {
			const product = mix(seed, n, 40 + k) % Math.max(1, products);
			const variant = mix(seed, n, 50 + k) % variantCount(product);
			const thing = pick(THINGS, mix(seed, product, 1));
			const quantity = (mix(seed, n, 60 + k) % 4) + 1;
			return {
				line_item_id: `li_${id.slice('ord_'.length)}${k + 1}`,
				sku: skuOf(seed, product, variant),
				title: thing.name,
				quantity,
				fulfilled_quantity: status === 'fulfilled' ? quantity : 0,
				price: convert(thing.cents + 250 * variant, currency),
			};
		});
		const amount = lines.reduce((sum, { price, quantity }) => sum + price.amount * quantity, 0);
		const shipping = convert(SHIPPING_CENTS, currency);
		const total = { amount: amount + shipping.amount, currency };
		const zero = { amount: 0, currency };
		const isPaid = status === 'paid' || status === 'fulfilled';
		return {
			id,
			number: String(1_000 + n),
			status,
			total,
			customer_id: customers > 0 ? ids.customers.encode(customer) : null,
			email,
			shipping_address: { name: `${first_name} ${last_name}`, ...address },
			merchant_note: '',
			line_items: lines,
			totals: { subtotal: { amount, currency }, shipping, total },
			payment_summary: {
				status: isPaid ? 'paid' : 'unpaid',
				paid: isPaid ? total : zero,
				refunded: zero,
			},
			fulfillment_state: fulfilmentState(lines),
		};
	};
}

/** Payload of order.paid (Events, Delivery request); all order events use it. */
export const orderPayload = ({ id, status, total }: Order) => ({ id, status, total });

/** How much of the lines is shipped, and how much is open. */
export function fulfilmentState(lines: readonly LineItem[]) {
	const done = lines.reduce((sum, line) => sum + line.fulfilled_quantity, 0);
	const open = lines.reduce((sum, line) => sum + line.quantity, 0) - done;
	const status = open === 0 ? 'fulfilled' : done === 0 ? 'unfulfilled' : 'partial';
	return { status, fulfilled_quantity: done, open_quantity: open };
}
