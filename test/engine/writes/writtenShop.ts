import type { IDataObject } from 'n8n-workflow';

import { stubApi, type StubAnswer, type StubRequest } from '../../support/engine';

/** The fates of a write. */
export const FATES = ['done', 'lost', 'broken', 'refused', 'busy', 'unavailable'] as const;
export type Fate = (typeof FATES)[number];

/** A write that the shop has applied. */
export interface Applied {
	key: string;
	/** Its targets, e.g. `PUT /inventory/levels A`; the products of a batch, or the prices of a product. */
	targets: string[];
	/** Marks of the items that caused it. */
	marks: number[];
}

interface Line {
	line_item_id: string;
	quantity: number;
}

/**
 * A shop that applies a write once for each Idempotency-Key. Its network gives each write the fate that was drawn for
 * it; after the drawn fates, every write is done.
 */
export class WrittenShop {
	readonly applied: Applied[] = [];
	/** Requests that no shop should ever get. */
	readonly faults: string[] = [];
	readonly sent: StubRequest[];
	private readonly fates: Fate[];
	private readonly answers = new Map<string, { text: string; answer: StubAnswer }>();
	/** Keys of writes that may have been applied, as far as their sender knows. */
	private readonly broken = new Set<string>();
	private readonly underWay = new Set<string>();
	private readonly open = new Map<string, Line[]>();
	/** Amounts in minor units, by SKU and currency. */
	private readonly prices = new Map<string, number>();

	constructor(fates: readonly Fate[]) {
		this.fates = [...fates];
		this.sent = stubApi({ 'GET *': (request) => this.read(request), '*': this.write.bind(this) });
	}

	private read({ route, query }: StubRequest): StubAnswer {
		const [, path] = route.split(' ');
		if (path === '/products')
			return [200, { data: [this.product(skuOf(String(query.q ?? query.sku ?? '')))] }];
		const [, kind, id] = path.split('/');
		if (kind === 'products') return [200, { data: this.product(skuOf(id)) }];
		if (kind === 'orders') return [200, { data: this.order(id) }];
		return [200, { data: { id, url: `https://erp.example/${id}`, events: ['order.paid'] } }];
	}

	private order(id: string): IDataObject {
		return { id, status: 'paid', line_items: this.linesOf(id).map((line) => ({ ...line })) };
	}

	private linesOf(orderId: string): Line[] {
		const lines = this.open.get(orderId) ?? [{ line_item_id: 'li_1', quantity: 3 }];
		this.open.set(orderId, lines);
		return lines;
	}

	private product(sku: string): IDataObject {
		const ofSku = [...this.prices].filter(([place]) => place.startsWith(`${sku} `));
		const prices = ofSku.map(([place, amount]) => ({ amount, currency: place.split(' ')[1] }));
		return { id: `prod_${sku}`, title: sku, variants: [{ sku, prices }] };
	}

	private async write(request: StubRequest): Promise<StubAnswer> {
		const targets = targetsOf(request);
		for (const target of targets) {
			if (this.underWay.has(target)) this.faults.push(`two writes to ${target} at the same time`);
			this.underWay.add(target);
		}
		await new Promise((resolve) => setTimeout(resolve, 1));
		for (const target of targets) this.underWay.delete(target);
		return this.fated(request, targets);
	}

	private fated(request: StubRequest, targets: string[]): StubAnswer {
		const fate = this.fates.shift() ?? 'done';
		if (fate === 'broken' || fate === 'unavailable')
			this.broken.add(request.headers['idempotency-key'] ?? '');
		if (fate === 'broken') return 'ECONNRESET';
		if (fate === 'busy') return [429, {}, { 'retry-after': '0' }];
		if (fate === 'unavailable') return [503];
		if (fate === 'refused') return [422, { error: { code: 'INVALID_STATE', message: 'No' } }];
		const answer = this.apply(request, targets);
		return fate === 'lost' ? 'ECONNRESET' : answer;
	}

	private apply(request: StubRequest, targets: string[]): StubAnswer {
		const { headers, text, route } = request;
		const key = headers['idempotency-key'] ?? '';
		if (key === '') this.faults.push(`${route} without a key`);
		const before = this.answers.get(key);
		if (before !== undefined) {
			if (before.text !== `${route} ${text}`) this.faults.push(`one key for two writes: ${key}`);
			return before.answer;
		}
		if (!this.canShip(request)) {
			// Another row may have shipped after a write that may have been applied. Its repeat is for the platform to refuse.
			if (this.broken.has(key)) return NOT_OPEN;
			this.faults.push(`${route} ships more than is open`);
		}
		const written = this.writtenBy(request, targets);
		const answer = this.done(request);
		if (written.marks.length > 0) this.applied.push({ key, ...written });
		this.answers.set(key, { text: `${route} ${text}`, answer });
		return answer;
	}

	/** The prices that a write changes: it sends the others back as they were read. */
	private writtenBy({ route, body, text }: StubRequest, targets: string[]): Omit<Applied, 'key'> {
		const { variants } = (body ?? {}) as { variants?: IDataObject[] };
		if (variants === undefined) return { targets, marks: marksIn(`${route} ${text}`) };
		const changed = pricesIn(variants).filter(
			([place, amount]) => this.prices.get(place) !== amount,
		);
		return { targets: changed.map(([place]) => place), marks: changed.map(([, amount]) => amount) };
	}

	private done({ route, body }: StubRequest): StubAnswer {
		const [method, path] = route.split(' ');
		const id = path.split('/')[2];
		const entered = (body ?? {}) as IDataObject;
		if (method === 'DELETE') return [204];
		if (path.endsWith('/batch')) {
			const { operations } = entered as { operations: IDataObject[] };
			return [200, { data: operations.map(({ sku }) => ({ sku, status: 'updated' })) }];
		}
		if (path.endsWith('/fulfillments')) this.ship(id, shippedBy(entered));
		for (const [place, amount] of pricesIn((entered.variants ?? []) as IDataObject[]))
			this.prices.set(place, amount);
		if (path.endsWith('/catalog-import')) return [202, { data: { id: 'job_1', status: 'queued' } }];
		return [200, { data: { id: id ?? 'new_1', ...entered } }];
	}

	/** Whether everything that a fulfillment sends is open (API document, "States and transitions"). */
	private canShip({ route, body }: StubRequest): boolean {
		if (!route.endsWith('/fulfillments')) return true;
		const lines = this.linesOf(route.split('/')[2]);
		return shippedBy(body).every(({ line_item_id, quantity }) =>
			lines.some((line) => line.line_item_id === line_item_id && line.quantity >= quantity),
		);
	}

	private ship(orderId: string, shipped: Line[]): void {
		const lines = this.linesOf(orderId);
		for (const { line_item_id, quantity } of shipped) {
			const line = lines.find((each) => each.line_item_id === line_item_id);
			if (line !== undefined) line.quantity -= quantity;
		}
		this.open.set(
			orderId,
			lines.filter(({ quantity }) => quantity > 0),
		);
	}
}

/** A platform's answer to a change that an order's state does not allow (API document, "Errors"). */
const NOT_OPEN: StubAnswer = [
	409,
	{ error: { code: 'INVALID_STATE_TRANSITION', message: 'Nothing of it is open' } },
];

const shippedBy = (body: unknown): Line[] => ((body ?? {}) as { items?: Line[] }).items ?? [];

/** Amounts by their places, as `A EUR`. */
const pricesIn = (variants: IDataObject[]): Array<[place: string, amount: number]> =>
	variants.flatMap(({ sku, prices }) =>
		((prices ?? []) as IDataObject[]).map(({ amount, currency }): [string, number] => [
			`${String(sku)} ${String(currency)}`,
			Number(amount),
		]),
	);

const skuOf = (text: string) => text.replace(/^prod_/, '');

/** The targets of a write. Writes to one target must keep their order. */
function targetsOf({ route, body }: StubRequest): string[] {
	const { sku, operations } = (body ?? {}) as { sku?: string; operations?: IDataObject[] };
	if (route.endsWith('/batch')) return (operations ?? []).map((each) => String(each.sku));
	const [method, path] = route.split(' ');
	// A create has no existing target, and the platform decides the order within an import.
	const isCreate = method === 'POST' && path.split('/').length === 2;
	if (isCreate || path.endsWith('/catalog-import')) return [];
	return [sku === undefined ? route : `${route} ${sku}`];
}

/** Marks have four digits. A stock level's mark is its quantity, since it holds no text. */
const marksIn = (text: string) =>
	[...text.matchAll(/(?:mark-|"quantity":)(\d{4})/g)].map(([, digits]) => Number(digits));
