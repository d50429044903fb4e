import { generated, type Source } from './collection';
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

/** An order with what only `get` shows (line items, totals, payment, fulfilment). */
export interface Order {
	id: string;
	number: string;
	status: OrderStatus;
	total: Money;
	customer_id: string | null;
	email: string;
	shipping_address: { name: string; street: string; city: string; country: string };
	merchant_note: string;
	line_items: LineItem[];
	totals: { subtotal: Money; shipping: Money; total: Money };
	payment_summary: { status: string; paid: Money; refunded: Money };
	fulfillment_state: { status: string; fulfilled_quantity: number; open_quantity: number };
	created_at: string;
	updated_at: string;
	[field: string]: unknown;
}

const SHIPPING_CENTS = 490;
const CURRENCIES = ['EUR', 'EUR', 'EUR', 'USD', 'JPY', 'KWD'] as const;
/** Of ten orders: one unpaid, four paid, four fulfilled, one cancelled. */
const STATUSES: readonly OrderStatus[] = [
	'created',
	...Array<OrderStatus>(4).fill('paid'),
	...Array<OrderStatus>(4).fill('fulfilled'),
	'cancelled',
];

type Times = Pick<Order, 'created_at' | 'updated_at'>;

/** Makes order n in a given state. */
export type OrderMaker = (n: number, status: OrderStatus, times: Times) => Order;

/** Generated orders of one to three lines for generated products and customers. */
export const orderSource = (
	size: number,
	seed: number,
	make: OrderMaker,
	today: number,
): Source<Order> =>
	generated(size, today, (n, times) => make(n, pick(STATUSES, mix(seed, n, 30)), times));

/** Makes generated orders, and those that are placed while the platform runs. */
export function orderMaker(
	{ seed, products, customers }: { seed: number; products: number; customers: number },
	ids: { orders: IdCodec; customers: IdCodec },
): OrderMaker {
	return (n, status, times) => {
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
		const none = { amount: 0, currency };
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
				paid: isPaid ? total : none,
				refunded: none,
			},
			fulfillment_state: fulfilmentState(lines),
			...times,
		};
	};
}

/** Sums up what is sent and what is still open. */
export function fulfilmentState(lines: readonly LineItem[]): Order['fulfillment_state'] {
	const done = lines.reduce((sum, line) => sum + line.fulfilled_quantity, 0);
	const open = lines.reduce((sum, line) => sum + line.quantity, 0) - done;
	const status = open === 0 ? 'fulfilled' : done === 0 ? 'unfulfilled' : 'partial';
	return { status, fulfilled_quantity: done, open_quantity: open };
}
