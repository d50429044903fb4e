import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { resources } from '../../../nodes/CommercePlatform/CommercePlatform.node.ts';
import { byId, failureOf, runOperation, withFastClock, withLeastWaits } from '../../support/engine';
import { FATES, WrittenShop } from './writtenShop';

withLeastWaits();
withFastClock();

/** How several writes of an operation to one target combine. */
type Kind =
	/** The later one replaces the earlier one. */
	| 'replaces'
	/** Both count, in any order. */
	| 'adds';

const id = (prefix: string) => byId(`={{ "${prefix}_" + $json.target }}`);
const MARK = '=mark-{{ $json.mark }}';
const LEVEL = { sku: '={{ $json.target }}', locationId: 'sloc_1', reason: MARK };

/** Every operation that writes. If it sends anything, it sends the item's mark. */
const WRITES: Record<string, { kind: Kind; parameters: IDataObject }> = {
	'category.create': { kind: 'adds', parameters: { name: MARK } },
	'customer.create': { kind: 'adds', parameters: { email: `${MARK}@example.com` } },
	'customer.update': {
		kind: 'replaces',
		parameters: { customerId: id('cus'), updateFields: { name: MARK } },
	},
	'inventory.set': {
		kind: 'replaces',
		parameters: { ...LEVEL, reason: undefined, quantity: '={{ $json.mark }}' },
	},
	'inventory.adjust': { kind: 'adds', parameters: { ...LEVEL, delta: 1 } },
	'order.update': {
		kind: 'replaces',
		parameters: { orderId: id('ord'), updateFields: { merchant_note: MARK } },
	},
	'order.fulfill': { kind: 'adds', parameters: { orderId: id('ord'), trackingNumber: MARK } },
	'order.refund': {
		kind: 'adds',
		parameters: { orderId: id('ord'), extent: 'platform', reason: MARK },
	},
	'order.cancel': { kind: 'adds', parameters: { orderId: byId(MARK) } },
	'product.create': { kind: 'adds', parameters: { title: MARK } },
	'product.update': {
		kind: 'replaces',
		parameters: { productId: id('prod'), updateFields: { title: MARK } },
	},
	'product.delete': { kind: 'adds', parameters: { productId: byId(MARK) } },
	'product.importCatalog': {
		kind: 'adds',
		parameters: { sku: '={{ $json.target }}', title: MARK },
	},
	'product.setPrices': {
		kind: 'replaces',
		parameters: {
			sku: 'S',
			currency: '={{ $json.target === "A" ? "EUR" : "USD" }}',
			amount: '={{ $json.mark / 100 }}',
		},
	},
	'product.upsert': { kind: 'replaces', parameters: { sku: '={{ $json.target }}', title: MARK } },
	'webhook.create': {
		kind: 'adds',
		parameters: { url: `=https://erp.example/${MARK.slice(1)}`, events: ['order.paid'] },
	},
	'webhook.delete': { kind: 'adds', parameters: { webhookId: byId(MARK) } },
	'webhook.rotateSecret': { kind: 'adds', parameters: { webhookId: byId(MARK) } },
	'webhook.test': { kind: 'adds', parameters: { webhookId: byId(MARK) } },
	'webhook.update': {
		kind: 'replaces',
		parameters: { webhookId: id('wh'), updateFields: { description: MARK } },
	},
};

const execution = fc.record({
	targets: fc.array(fc.constantFrom('A', 'B'), { minLength: 1, maxLength: 4 }),
	maxTries: fc.integer({ min: 1, max: 3 }),
	continues: fc.boolean(),
	maxRetryWait: fc.constantFrom(0, 120),
});
type Execution = typeof execution extends fc.Arbitrary<infer T> ? T : never;

let executions = 0;

async function execute(operation: string, number: number, drawn: Execution) {
	const items = drawn.targets.map((target, row) => ({
		target,
		row,
		mark: 1000 + 100 * number + row,
	}));
	const { maxTries, maxRetryWait } = drawn;
	const result = await runOperation(
		operation,
		{ ...WRITES[operation].parameters, requestOptions: { maxRetryWait } },
		{
			items,
			executionId: `${operation} ${++executions}`,
			...(maxTries > 1 && { retryOnFail: { maxTries } }),
			...(drawn.continues && { onError: 'continueRegularOutput' as const }),
		},
	);
	return { rows: items, ...result };
}

const isUnclear = (text = '') => /may have (?:done it|been done)/.test(text);

it('tries every operation that writes; Recreate sends two writes, and has its own tests', () => {
	const writing = resources.flatMap(({ value, operations }) =>
		operations
			.filter(({ option }) => option.routing.request.method !== 'GET')
			.map(({ option }) => `${value}.${option.value}`),
	);
	const others = writing.filter((operation) => operation !== 'webhook.recreate');
	expect(Object.keys(WRITES).sort()).toEqual(others.sort());
});

describe.each(Object.entries(WRITES))('%s', (operation, { kind }) => {
	/**
	 * A batch with an unknown outcome is sent again without the rows that were overtaken; the other rows stay the same.
	 */
	const isBatch = /upsert|importCatalog|setPrices/.test(operation);

	it('is done once, in turn, and told as it is: retries, waits, two executions', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(execution, { minLength: 1, maxLength: 2 }),
				fc.array(fc.constantFrom(...FATES), { maxLength: 8 }),
				async (drawn, fates) => {
					const shop = new WrittenShop(fates);
					const ends = await Promise.all(
						drawn.map(async (each, number) => await execute(operation, number, each)),
					);
					expect(shop.faults).toEqual([]);
					const marks = new Set(shop.applied.flatMap((each) => each.marks));
					if (!isBatch) expect(shop.applied).toHaveLength(marks.size);
					if (kind === 'replaces') expectInTurn(shop);
					for (const end of ends) expectTruth(end, marks, operation);
				},
			),
			{ numRuns: Number(process.env.WRITES_RUNS ?? 8) },
		);
	});
});

/** In each execution, no row of a target was applied after a later one. */
function expectInTurn({ applied }: WrittenShop): void {
	const latest = new Map<string, number>();
	for (const { targets, marks } of applied)
		for (const [index, target] of targets.entries()) {
			const mark = marks[index];
			const place = `${target} in execution ${Math.floor(mark / 100)}`;
			expect(mark).toBeGreaterThanOrEqual(latest.get(place) ?? 0);
			latest.set(place, mark);
		}
}

/**
 * An item that is reported as done was applied; an item that is reported as failed was not, unless it says that it may
 * have been.
 */
function expectTruth(
	{ rows, items, error }: Awaited<ReturnType<typeof execute>>,
	applied: ReadonlySet<number>,
	operation: string,
): void {
	if (error !== undefined) {
		const text = `${error.message} ${error.description ?? ''}`;
		const done = rows.filter(({ mark }) => applied.has(mark)).length;
		const told = Number(/(\d+) of \d+ items were done/.exec(text)?.[1] ?? 0);
		if (!isUnclear(text)) expect(`${text} — ${done}`).toBe(`${text} — ${told}`);
		return;
	}
	const told = items.flatMap(({ json, pairedItem }) =>
		[pairedItem as { item: number } | Array<{ item: number }>].flat().map(({ item }) => ({
			...rows[item],
			item,
			failure: failureOf(json),
			isSuperseded: json.superseded === true,
		})),
	);
	expect(told.map(({ item }) => item)).toEqual([...rows.keys()]);
	for (const { mark, target, item, failure, isSuperseded } of told) {
		const isReplaced = rows.slice(item + 1).some((later) => later.target === target);
		// A row that a later one supersedes says so. If several rows set one price, only the last amount is sent.
		if (isSuperseded) expect([mark, isReplaced]).toEqual([mark, true]);
		// Their items are those of a product or a job, which holds the later row.
		const joinsRows = ['product.setPrices', 'product.importCatalog'].includes(operation);
		const isLeftOut = isSuperseded || (joinsRows && isReplaced);
		if (failure === undefined && !isLeftOut)
			expect([mark, applied.has(mark)]).toEqual([mark, true]);
		if (failure !== undefined && !isUnclear(failure.description))
			expect([failure, applied.has(mark)]).toEqual([failure, false]);
	}
}
