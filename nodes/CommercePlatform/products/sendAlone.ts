import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/rest/errors';
import { findRecords, searched } from '../runner/lookup';
import type { BulkCall } from '../runner/operation';
import { inParallel } from '../runner/pool';
import { readProduct, writeMergedFor } from './merge';
import { joinedWrites, namesOf, productsByNames, type ProductWrite } from './plan';
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
	const { known, isSearched } = await found(call, writes);
	let sentCount = 0;
	/** Fulfilled when all earlier products are found, so that writes queue for them in input order. */
	let earlierFound: Promise<unknown> = Promise.resolve();
	const send = async (write: ProductWrite) => {
		const lookUp = isSearched ? Promise.resolve(write.product) : productOf(call, write);
		earlierFound = Promise.allSettled([earlierFound, lookUp]);
		await earlierFound;
		const product = await lookUp;
		const id = product === undefined ? undefined : String(product.id);
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
		known,
		call.client.options.maxInFlight,
		async (write) => {
			await send(write).catch((error: unknown) => call.failed([write.item], error));
			call.report.progress(++sentCount, known.length, 'products');
		},
		() => call.stopped(),
	);
}

const NOTHING_SENT = 'Nothing was sent for it.';
const USE_UPDATE = 'Use the operation Update with the product’s ID';

/** A product without a SKU is found by its handle. */
const namesOfWrite = ({ item }: ProductWrite): string[] =>
	item.key === '' ? namesOf(item, true).slice(0, 1) : [item.key];

/** So few products are searched at once, and others by a walk through the list. */
const FEW_PRODUCTS = 4;

/** Finds products of writes, and joins those that turn out to be about one product. */
async function found(call: BulkCall, writes: readonly ProductWrite[]) {
	const unknown = writes.filter(({ product }) => product === undefined);
	const isSearched = unknown.length <= FEW_PRODUCTS;
	const walked = isSearched
		? new Map<string, IDataObject[]>()
		: await findRecords(call, productsByNames, unknown.flatMap(namesOfWrite), { walkOnly: true });
	const looked = new Map<ProductWrite, IDataObject | undefined>();
	await inParallel(writes, call.client.options.maxInFlight, async (write) => {
		const [name] = namesOfWrite(write);
		try {
			const shown = write.product ?? productAmong(walked.get(name) ?? [], name);
			looked.set(write, shown ?? (isSearched ? await productOf(call, write) : undefined));
		} catch (error) {
			call.failed([write.item], error);
		}
	});
	const all = writes.filter((write) => looked.has(write));
	const joined = joinedWrites(
		call,
		all.map((write) => ({ item: write.item, product: looked.get(write) })),
		false,
	);
	return { known: joined, isSearched };
}

/**
 * Searches for the product of a write, unless it is known.
 *
 * @returns undefined if there is none
 * @throws InputError if that is not certain, PlatformError
 */
async function productOf(call: BulkCall, write: ProductWrite): Promise<IDataObject | undefined> {
	if (write.product !== undefined) return write.product;
	const [name] = namesOfWrite(write);
	const { records, whole } = await searched(call.client, productsByNames, name);
	const product = productAmong(await withSkus(call, records), name);
	if (product !== undefined || whole) return product;
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
 * The one product that has a name.
 *
 * @returns undefined if none has it
 * @throws InputError if several have it
 */
function productAmong(products: readonly IDataObject[], name: string): IDataObject | undefined {
	const named = products.filter((product) => productsByNames.keysOf(product).includes(name));
	// A product that changes during a search may come twice.
	const ids = new Set(named.map(({ id }) => id));
	if (ids.size <= 1) return named[0];
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
	const { key: sku } = item;
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
