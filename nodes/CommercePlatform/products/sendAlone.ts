import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/rest/errors';
import { findRecords, searched } from '../runner/lookup';
import type { BulkCall } from '../runner/operation';
import { inParallel } from '../runner/pool';
import { readProduct, writeMergedFor } from './merge';
import { namesOf, productsByNames, type ProductWrite } from './plan';
import { type ProductDone, productLockName, productUpdate, skusOf, withLocks } from './products';

/**
 * Writes products without batches. A walk through the list shows which of them the shop has; the others are searched
 * right before they are created. Writes of one SKU, and those of one product, go one after the other, in input order.
 *
 * @param writes whose items have no result yet
 * @param productDone receives the products that were written
 */
export async function sendAlone(
	call: BulkCall,
	writes: readonly ProductWrite[],
	productDone: ProductDone,
): Promise<void> {
	const unknown = writes.filter(({ product }) => product === undefined);
	const walked = await findRecords(call, productsByNames, unknown.flatMap(namesOfWrite), {
		walkOnly: true,
	});
	let sentCount = 0;
	/** Fulfilled when all earlier products are found, so that writes queue for them in input order. */
	let found: Promise<unknown> = Promise.resolve();
	const send = async (write: ProductWrite) => {
		const lookUp = productIdOf(call, write, walked);
		found = Promise.allSettled([found, lookUp]);
		await found;
		const id = await lookUp;
		const lockNames = id === undefined ? [] : [productLockName(id)];
		await withLocks(call, lockNames, async () => {
			if (call.stopped()) return;
			// The result is reported before the lock is released: if it stops the run, the next write is not sent.
			await writeOne(call, write, id).then(
				(written) => productDone(write.item, ...written),
				(error: unknown) => call.failed([write.item], error),
			);
		});
	};
	await inParallel(
		writes,
		call.client.options.maxInFlight,
		async (write) => {
			await send(write).catch((error: unknown) => call.failed([write.item], error));
			call.report.progress(++sentCount, writes.length, 'products');
		},
		() => call.stopped(),
	);
}

const NOTHING_SENT = 'Nothing was sent for it.';
const USE_UPDATE = 'Use the operation Update with the product’s ID';

/** A product without a SKU is found by its handle. */
const namesOfWrite = ({ item }: ProductWrite): string[] =>
	item.sku === '' ? namesOf(item, true).slice(0, 1) : [item.sku];

/**
 * Finds the ID of the product of a write.
 *
 * @returns undefined if there is none
 * @throws InputError if that is not certain, PlatformError
 */
async function productIdOf(
	call: BulkCall,
	write: ProductWrite,
	walked: ReadonlyMap<string, IDataObject[]>,
): Promise<string | undefined> {
	if (typeof write.product?.id === 'string') return write.product.id;
	const [name] = namesOfWrite(write);
	const shown = idAmong(walked.get(name) ?? [], name);
	if (shown !== undefined) return shown;
	const { records, whole } = await searched(call.client, productsByNames, name);
	const id = idAmong(await withSkus(call, records), name);
	if (id !== undefined || whole) return id;
	throw new InputError(
		'SKU',
		`“${name}” is not among the first products that the platform’s search for it gives`,
		`${NOTHING_SENT} Whether the shop has it is not known. ${USE_UPDATE}, or Create.`,
	);
}

/** Short records show no SKUs. Adds their whole records, unless there are too many to read. */
async function withSkus(call: BulkCall, hits: IDataObject[]): Promise<IDataObject[]> {
	const shortHits = hits.filter((hit) => skusOf(hit).length === 0 && typeof hit.id === 'string');
	if (shortHits.length > MAX_SHORT_HITS) return hits;
	const reads = shortHits.map(async ({ id }) => await readProduct(call.client, String(id)));
	const wholeRecords = await Promise.all(reads);
	return [...hits, ...wholeRecords.map(({ record }) => record)];
}

/** How many short records of one search are read, each with a request. */
const MAX_SHORT_HITS = 4;

/**
 * The ID of the one product that has a name.
 *
 * @returns undefined if none has it
 * @throws InputError if several have it
 */
function idAmong(products: readonly IDataObject[], name: string): string | undefined {
	const named = products.filter((product) => productsByNames.keysOf(product).includes(name));
	// A product that changes during a search may come twice.
	const ids = new Set(named.map(({ id }) => String(id)));
	if (ids.size <= 1) return [...ids][0];
	throw new InputError(
		'SKU',
		`“${name}” names ${ids.size} products`,
		`${NOTHING_SENT} ${USE_UPDATE}.`,
	);
}

/** @returns what `productDone` receives: the product, if the answer shows it, and what was done to it */
async function writeOne(
	call: BulkCall,
	{ item, body, variantChanges }: ProductWrite,
	id: string | undefined,
): Promise<[record: IDataObject | undefined, result: 'created' | 'updated']> {
	if (id === undefined) return [await create(call, item, body, variantChanges), 'created'];
	const update = productUpdate(id, body);
	if (variantChanges.length === 0) return [(await call.send(update, [item])).record, 'updated'];
	const { answer } = await writeMergedFor(call, [item], update, variantChanges);
	return [answer.record, 'updated'];
}

/** Creates the same product as a batch would: its SKU is the SKU of a variant. */
async function create(
	call: BulkCall,
	item: ProductWrite['item'],
	fields: IDataObject,
	variantChanges: readonly IDataObject[],
): Promise<IDataObject | undefined> {
	const { sku } = item;
	const ofSku = sku === '' ? [] : [{ sku }];
	const variants = variantChanges.length === 0 ? ofSku : [...variantChanges];
	if (sku !== '' && !variants.some((variant) => variant.sku === sku))
		throw new InputError(
			'SKU',
			`“${sku}” is not the SKU of one of the product’s variants`,
			'It was not created, since nothing would find it by this SKU again. Enter the SKU of a variant.',
		);
	const body = { ...fields, ...(variants.length > 0 && { variants }) };
	const { record } = await call.send({ method: 'POST', path: '/products', body }, [item]);
	return record;
}
