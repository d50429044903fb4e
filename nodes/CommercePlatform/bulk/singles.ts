import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { expandPath } from '../../shared/api/http';
import type { PlatformRequest } from '../../shared/api/request';
import { InputError, settled } from '../../shared/errors/errors';
import { isObject } from '../../shared/values/json';
import { someText } from '../../shared/values/readers';
import type { HeldItem } from '../run/heldItem';
import { take } from '../run/lock';
import type { BatchCall } from '../run/operation';
import { inParallel } from '../run/pool';
import { searched } from './find';
import { currencyKey, type CurrentProduct, mergedRequest, readProduct, writeMerged } from './merge';
import {
	productsBySku,
	skuKey,
	skusOf,
	type UpsertCounts,
	type UpsertResult,
	without,
} from './products';
import type { SkuTurns } from './skuTurns';

const PATH = '/products/{productId}';

/** Requests for these items at most: a look-up and a write for each, and a read where it says variants or prices. */
export const singleRequests = (items: readonly HeldItem[]): number =>
	items.reduce((sum, { fields: { variants, prices } }) => {
		return sum + ((variants ?? prices) === undefined ? 2 : 3);
	}, 0);

/**
 * Does without batches: looks up each SKU, then creates or updates its product. Items of one SKU, and those of one
 * product, go one after the other, in input order.
 *
 * @param turns of the run's SKUs
 */
export async function sendSingles(
	call: BatchCall,
	turns: SkuTurns,
	items: readonly HeldItem[],
	counts: UpsertCounts,
): Promise<void> {
	const run: SingleRun = {
		call,
		turns,
		counts,
		order: `look-up ${randomUUID()}`,
		created: new Map(),
	};
	let done = 0;
	await inParallel(
		items,
		call.client.options.maxInFlight,
		async (item) => {
			await sendInTurn(run, item);
			call.report.progress(++done, items.length, 'products');
		},
		() => call.stopped(),
	);
}

/** What the items of one run share. */
interface SingleRun {
	call: BatchCall;
	turns: SkuTurns;
	counts: UpsertCounts;
	/** A turn of it ends once the item has taken its product's, so that these are in input order. */
	order: string;
	/** The IDs of what the run has created, by SKU: the platform's search may show it only later. */
	created: Map<string, string | undefined>;
}

async function sendInTurn(run: SingleRun, item: HeldItem): Promise<void> {
	const { call, turns, order, counts } = run;
	const { sku } = item;
	const ofSku = take([`${order} SKU ${skuKey(sku)}`]);
	const found = take([order]);
	await ofSku.ready;
	await turns.come([sku]);
	if (!call.stopped() && !item.isDone) {
		const product = await settled(productOf(run, sku));
		await found.ready;
		const known = product.status === 'fulfilled' ? product.value : undefined;
		const ofProduct = take(
			known === undefined ? [] : [`${call.client.credentialId} ${known.path}`],
		);
		found.release();
		await ofProduct.ready;
		const written =
			product.status === 'fulfilled' ? await settled(sent(run, item, known?.id)) : product;
		ofProduct.release();
		if (written.status === 'rejected') call.failed([item], written.reason);
		else {
			const result: UpsertResult = known === undefined ? 'created' : 'updated';
			call.done([item], counts.itemOf(sku, written.value as IDataObject | undefined, result));
		}
	}
	found.release();
	ofSku.release();
}

const NOTHING_SENT = 'Nothing was sent for it.';
const USE_UPDATE = 'Use the operation Update with the product’s ID.';

/** The product that has a SKU. */
async function productOf(
	{ call, created }: SingleRun,
	sku: string,
): Promise<{ id: string; path: string } | undefined> {
	const { records, whole } = await searched(call.client, productsBySku, sku);
	// A product that changes during a search may come twice.
	const ids = new Set(
		records.filter((one) => skusOf(one).includes(sku)).map(({ id }) => String(id)),
	);
	const own = created.get(sku);
	if (own !== undefined) ids.add(own);
	else if (created.has(sku) && ids.size === 0)
		throw new InputError(
			'SKU',
			`“${sku}” was created by this run, and the answer did not show its ID`,
			`${NOTHING_SENT} Run this item again once the shop’s search shows the product.`,
		);
	const [id, ...others] = ids;
	if (others.length > 0)
		throw new InputError(
			'SKU',
			`“${sku}” names ${others.length + 1} products`,
			`${NOTHING_SENT} ${USE_UPDATE}`,
		);
	if (id !== undefined) return { id, path: expandPath(PATH, { productId: id }) };
	const alike = [...records.flatMap(skusOf), ...created.keys()].find(
		(one) => skuKey(one) === skuKey(sku),
	);
	if (alike !== undefined)
		throw new InputError(
			'SKU',
			`“${sku}” is not in the shop, but “${alike}” is`,
			`${NOTHING_SENT} Whether they are one to the shop is not known: enter the SKU as the shop has it.`,
		);
	if (whole) return undefined;
	throw new InputError(
		'SKU',
		`“${sku}” is not among the first products that the platform’s search for it gives`,
		`Whether the shop has it is not known, so nothing was sent for it. Use the operation Update with the product’s ID, or Create.`,
	);
}

/** @returns the product as the platform answered it, where it did */
async function sent(
	run: SingleRun,
	item: HeldItem,
	productId: string | undefined,
): Promise<IDataObject | undefined> {
	const fields = without(item.fields, ['sku', 'prices', 'variants']);
	const named = namedVariants(item);
	if (productId === undefined) return await create(run, item, fields, named);
	const { call } = run;
	const pathParams = { productId };
	const update: PlatformRequest = { method: 'PATCH', path: PATH, pathParams, body: fields };
	if (named.length > 0) return await sendVariants(call, item, named, update);
	return (await call.send(update, [item])).record;
}

/** The same product as the batch's operation makes: its SKU is the SKU of a variant. */
async function create(
	{ call, created }: SingleRun,
	item: HeldItem,
	fields: IDataObject,
	named: readonly IDataObject[],
): Promise<IDataObject | undefined> {
	const { sku } = item;
	const variants = named.length === 0 ? [{ sku }] : [...named];
	if (!variants.some((one) => one.sku === sku)) {
		throw new InputError(
			'SKU',
			`“${sku}” is not the SKU of one of the product’s variants`,
			'It was not created, since nothing would find it by this SKU again. Enter the SKU of a variant.',
		);
	}
	const body = { ...fields, variants };
	const { record } = await call.send({ method: 'POST', path: '/products', body }, [item]);
	const id = typeof record?.id === 'string' ? record.id : undefined;
	for (const one of variants) created.set(String(one.sku), id);
	return record;
}

/**
 * What an operation says of variants: those that it lists, or the prices of the one that its SKU names.
 *
 * @returns an empty list where it says nothing of them
 * @throws InputError where they cannot be told apart
 */
function namedVariants({ sku, fields: { variants, prices } }: HeldItem): IDataObject[] {
	const listed = variants === undefined ? [] : listOf('Product: variants', variants);
	if (prices === undefined) return listed.map(readVariant);
	if (listed.length === 0) return [readVariant({ sku, prices }, 0)];
	throw new InputError(
		'Product',
		'holds both “variants” and “prices”',
		'Nothing was sent for it: one by one only one of them can be. Put the prices into the variants.',
	);
}

/**
 * Updates a product with an operation that says something of variants: that is merged into those that the product
 * has, and all that it does not name stays.
 *
 * @param named variants as `namedVariants` gives them
 * @param update PATCH of the product with the operation's other fields
 * @throws InputError where it is not certain which variants are meant, PlatformError
 */
async function sendVariants(
	call: BatchCall,
	item: HeldItem,
	named: readonly IDataObject[],
	update: PlatformRequest,
): Promise<IDataObject | undefined> {
	const read = async () => await readProduct(call.client, String(update.pathParams?.productId));
	const send = async (current: CurrentProduct, attempt: number) => {
		// Written again after a conflict, in which nothing was written.
		if (attempt > 1) call.refused([item]);
		return await call.send(mergedRequest(update, current, 'Variants', named), [item]);
	};
	return (await writeMerged(await read(), read, send)).record;
}

function readVariant(variant: IDataObject, index: number): IDataObject {
	const place = `Product: variants ${index + 1}`;
	const sku = someText(`${place}: sku`, variant.sku);
	if (variant.prices === undefined) return { ...variant, sku };
	const prices = listOf(`${place}: prices`, variant.prices).map((price) => {
		const currency = currencyKey(someText(`${place}: currency`, price.currency));
		return { ...price, currency };
	});
	return { ...variant, sku, prices };
}

function listOf(place: string, value: unknown): IDataObject[] {
	if (Array.isArray(value) && value.every(isObject)) return value as IDataObject[];
	throw new InputError(place, 'must be a list of objects', 'Nothing was sent for it.');
}
