import { idCodec } from './ids';
import { iso, timeline } from './clock';
import { customerIds, personOf } from './customer';
import { convert, type Money } from './money';
import { skuOf, variantCount } from './product';
import { mix, pick } from './random';
import { THINGS } from './words';
import type { Source } from './collection';

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

export const orderIds = (seed: number) => idCodec('ord_', seed);

const SHIPPING_CENTS = 490;
const CURRENCIES = ['EUR', 'EUR', 'EUR', 'USD', 'JPY', 'KWD'] as const;
/** Of ten orders: one unpaid, four paid, four fulfilled, one cancelled. */
const STATUSES: readonly OrderStatus[] = [
	'created',
	...Array<OrderStatus>(4).fill('paid'),
	...Array<OrderStatus>(4).fill('fulfilled'),
	'cancelled',
];

export interface OrderNeighbours {
	products: number;
	customers: number;
}

/** Generated orders of one to three lines for generated products and customers. */
export function orderSource(
	size: number,
	seed: number,
	today: number,
	neighbours: OrderNeighbours,
): Source<Order> {
	const times = timeline(size, today);
	const make = orderMaker(seed, neighbours);
	return {
		size,
		count: size,
		...times,
		generate: (n) =>
			make(n, pick(STATUSES, mix(seed, n, 30)), times.createdAt(n), times.updatedAt(n)),
	};
}

/** Makes order n in a given state; also used for orders that are placed while the platform runs. */
export function orderMaker(seed: number, neighbours: OrderNeighbours) {
	const ids = orderIds(seed);
	const customers = customerIds(seed);
	return (n: number, status: OrderStatus, createdAt: number, updatedAt: number): Order => {
		const id = ids.encode(n);
		const currency = pick(CURRENCIES, mix(seed, n, 31));
		const customer = neighbours.customers > 0 ? mix(seed, n, 32) % neighbours.customers : n;
		const { email, first_name, last_name, address } = personOf(seed, customer);
		const lines = linesOf({ seed, n, id, currency, status, products: neighbours.products });
		const subtotal = {
			amount: lines.reduce((sum, line) => sum + line.price.amount * line.quantity, 0),
			currency,
		};
		const shipping = convert(SHIPPING_CENTS, currency);
		const total = { amount: subtotal.amount + shipping.amount, currency };
		const none = { amount: 0, currency };
		const isPaid = status === 'paid' || status === 'fulfilled';
		return {
			id,
			number: String(1_000 + n),
			status,
			total,
			customer_id: neighbours.customers > 0 ? customers.encode(customer) : null,
			email,
			shipping_address: { name: `${first_name} ${last_name}`, ...address },
			merchant_note: '',
			line_items: lines,
			totals: { subtotal, shipping, total },
			payment_summary: {
				status: isPaid ? 'paid' : 'unpaid',
				paid: isPaid ? total : none,
				refunded: none,
			},
			fulfillment_state: fulfilmentState(lines),
			created_at: iso(createdAt),
			updated_at: iso(updatedAt),
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

function linesOf(of: {
	seed: number;
	n: number;
	id: string;
	currency: string;
	status: OrderStatus;
	products: number;
}): LineItem[] {
	const lines: LineItem[] = [];
	const count = (mix(of.seed, of.n, 33) % 3) + 1;
	for (let k = 0; k < count; k++) {
		const product = mix(of.seed, of.n, 40 + k) % Math.max(1, of.products);
		const variant = mix(of.seed, of.n, 50 + k) % variantCount(product);
		const thing = pick(THINGS, mix(of.seed, product, 1));
		const quantity = (mix(of.seed, of.n, 60 + k) % 4) + 1;
		lines.push({
			line_item_id: `li_${of.id.slice('ord_'.length)}${k + 1}`,
			sku: skuOf(of.seed, product, variant),
			title: thing.name,
			quantity,
			fulfilled_quantity: of.status === 'fulfilled' ? quantity : 0,
			price: convert(thing.cents + 250 * variant, of.currency),
		});
	}
	return lines;
}
