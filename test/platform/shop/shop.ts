import { categoryIds, categorySource, type Category } from './category';
import { Clock, iso } from './clock';
import { Collection } from './collection';
import { customerIds, customerSource, type Customer } from './customer';
import { eventId, eventSource, type StreamEvent } from './event';
import { EventTimes } from './eventTimes';
import { inventorySource, type Level } from './inventory';
import { orderIds, orderSource, type Order } from './order';
import { productIds, productSource, type Product } from './product';
import type { ShopSize } from '../options';

export const DEFAULT_SIZE: Readonly<Required<ShopSize>> = {
	products: 300,
	orders: 300,
	customers: 200,
	categories: 12,
	seed: 1,
};

/** Hands an event on to the webhook endpoints; answers the ids of the deliveries it made. */
export type Publish = (event: StreamEvent) => string[];

/** All records of one shop. Rules of what may be done with them are in the files beside this one. */
export class Shop {
	private readonly eventTimes = new EventTimes();
	readonly ids;
	readonly products: Collection<Product>;
	readonly orders: Collection<Order>;
	readonly customers: Collection<Customer>;
	readonly categories: Collection<Category>;
	readonly levels: Collection<Level>;
	readonly events: Collection<StreamEvent>;
	/** Products that have been given a SKU by a write. */
	readonly writtenSkus = new Map<string, number>();
	/** Where the search for the oldest unpaid order goes on; orders never become unpaid again. */
	firstUnpaid = 0;
	/** Levels of SKUs that no generated product has, by `<sku>@<location_id>`. */
	readonly writtenLevels = new Map<string, number>();

	constructor(
		readonly size: Readonly<Required<ShopSize>>,
		private readonly publish: Publish,
		readonly clock = new Clock(),
	) {
		const { seed } = size;
		const now = () => this.clock.now();
		const today = now();
		this.ids = {
			products: productIds(seed),
			orders: orderIds(seed),
			customers: customerIds(seed),
			categories: categoryIds(seed),
		};
		const categoryId = (k: number) => this.ids.categories.encode(k);
		const orders = orderSource(size.orders, seed, today, size);
		this.categories = new Collection(categorySource(size.categories, seed, today), now);
		this.products = new Collection(
			productSource(size.products, seed, today, { count: size.categories, id: categoryId }),
			now,
		);
		this.customers = new Collection(customerSource(size.customers, seed, today), now);
		this.orders = new Collection(orders, now);
		this.levels = new Collection(inventorySource(size.products, seed, today), now);
		this.events = new Collection(eventSource(orders, today), now);
	}

	/** Adds an event to the stream and publishes it. @returns ids of the deliveries. */
	emit(event: string, payload: Record<string, unknown>): string[] {
		const content = `${event} ${JSON.stringify(payload)}`;
		const timestamp = iso(this.eventTimes.next(this.clock.now(), content));
		const record = this.events.add((index) => ({
			event_id: eventId(index),
			event,
			timestamp,
			payload,
		}));
		return this.publish(record);
	}
}
