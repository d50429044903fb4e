import { randomInt } from 'node:crypto';
import { categorySource, type Category } from './category';
import { Clock, iso } from './clock';
import { Collection, generated, type Source } from './collection';
import { customerSource, type Customer } from './customer';
import { eventId, eventIndex, eventSource, type StreamEvent } from './event';
import { idCodec } from './ids';
import { inventorySource, type Level } from './inventory';
import { orderMaker, orderSource, type Order } from './order';
import { productSource, type Product } from './product';
import { notFound } from './refusal';
import { findLevel } from './stock';
import type { Endpoint } from '../deliveries/endpoints';
import type { ShopSize } from '../options';

/** The most that an event's time may be ahead of the clock. If it is more, the clock was set back. */
const MOST_AHEAD_MS = 60_000;

export const DEFAULT_SIZE: Readonly<Required<ShopSize>> = {
	products: 300,
	orders: 300,
	customers: 200,
	categories: 12,
	seed: 1,
};

/** The records of a shop, by the names of its collections. */
export interface ShopRecords {
	products: Product;
	orders: Order;
	customers: Customer;
	categories: Category;
	inventory: Level;
	events: StreamEvent;
	webhooks: Endpoint;
}

export type ShopKind = keyof ShopRecords;

/** Passes an event to the webhook endpoints. Returns the ids of its deliveries. */
export type Publish = (event: StreamEvent) => string[];

/** All records of one shop. The rules for changing them are in the files beside this one. */
export class Shop {
	private lastEventAt = 0;
	readonly ids;
	/** Makes order n, as a customer places it. */
	readonly makeOrder;
	readonly records: { readonly [Kind in ShopKind]: Collection<ShopRecords[Kind]> };
	/** Index of the product that a write gave a SKU, by SKU. */
	readonly writtenSkus = new Map<string, number>();
	/** Index where the search for the oldest unpaid order starts; a paid order never becomes unpaid again. */
	firstUnpaid = 0;
	/** Levels of SKUs that no generated product has, by `<sku>@<location_id>`. */
	readonly writtenLevels = new Map<string, number>();

	constructor(
		size: Readonly<Required<ShopSize>>,
		private readonly publish: Publish,
		readonly clock = new Clock(),
	) {
		const { seed } = size;
		const now = () => this.clock.now();
		const today = now();
		const ids = {
			products: idCodec('prod_', seed),
			orders: idCodec('ord_', seed),
			customers: idCodec('cust_', seed),
			categories: idCodec('cat_', seed),
			// The ids differ after each start: an id that n8n remembers of an earlier platform must not lead to an endpoint
			// of this one.
			webhooks: idCodec('wh_', randomInt(2 ** 31)),
		};
		this.ids = ids;
		this.makeOrder = orderMaker(size, ids);
		const orders = orderSource(size.orders, seed, this.makeOrder, today);
		const categories = { count: size.categories, ids: ids.categories };
		const kept = <T extends object>(source: Source<T>) => new Collection(source, now);
		this.records = {
			categories: kept(categorySource(size.categories, ids.categories, today)),
			products: kept(productSource(size.products, seed, ids.products, today, categories)),
			customers: kept(customerSource(size.customers, seed, ids.customers, today)),
			orders: kept(orders),
			inventory: kept(inventorySource(size.products, seed, today)),
			events: kept(eventSource(orders, today)),
			webhooks: kept(generated<Endpoint>(0, 0, () => undefined)),
		};
	}

	/** @throws RangeError for an unknown kind. */
	collection<K extends ShopKind>(kind: K): Collection<ShopRecords[K]> {
		if (Object.hasOwn(this.records, kind)) return this.records[kind];
		throw new RangeError(`There are no records of ${kind}`);
	}

	/** Index that an id leads to, whether or not the record exists. Inventory: `"<sku>@<location_id>"`. */
	indexOf(kind: ShopKind, id: string): number | undefined {
		if (kind === 'events') return eventIndex(id);
		if (kind !== 'inventory') return this.ids[kind].decode(id);
		const split = id.lastIndexOf('@');
		return findLevel(this, id.slice(0, split), id.slice(split + 1));
	}

	get<K extends ShopKind>(kind: K, id: string): ShopRecords[K] | undefined {
		const index = this.indexOf(kind, id);
		return index === undefined ? undefined : this.collection(kind).get(index);
	}

	/** A record and its index. @throws Refusal NOT_FOUND. */
	find<K extends ShopKind>(kind: K, id: string): { index: number; record: ShopRecords[K] } {
		const record = this.get(kind, id);
		if (record === undefined) throw notFound(`${kind.replace(/s$/, '')} ${id}`);
		return { index: this.indexOf(kind, id)!, record };
	}

	/**
	 * Adds an event to the stream and publishes it. No two events have the same time, unless the clock is set back, so
	 * the deliveries of two equal events differ in body and signature.
	 *
	 * @returns the ids of the deliveries
	 */
	emit(event: string, payload: Record<string, unknown>): string[] {
		const now = this.clock.now();
		const isAhead = now <= this.lastEventAt && now > this.lastEventAt - MOST_AHEAD_MS;
		this.lastEventAt = isAhead ? this.lastEventAt + 1 : now;
		const timestamp = iso(this.lastEventAt);
		return this.publish(
			this.records.events.add((index) => ({ event_id: eventId(index), event, timestamp, payload })),
		);
	}
}
