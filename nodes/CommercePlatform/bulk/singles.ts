import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { expandPath } from '../../shared/api/http';
import type { PlatformRequest } from '../../shared/api/request';
import { InputError, isNotFound, settled } from '../../shared/errors/errors';
import { isObject } from '../../shared/values/json';
import { someText } from '../../shared/values/readers';
import type { HeldItem } from '../run/heldItem';
import { type Lock, take } from '../run/lock';
import type { BatchCall } from '../run/operation';
import { inParallel } from '../run/pool';
import { searched } from './find';
import { currencyKey, mergedRequest, readProduct, writeMerged } from './merge';
import { productsBySku, skuKey, skusOf, type TakeProduct, without } from './products';

const PATH = '/products/{productId}';

/** Requests for these items at most: a look-up and a write for each, and a read where it says variants or prices. */
export const singleRequests = (items: readonly HeldItem[]): number =>
	items.reduce((sum, { fields: { variants, prices } }) => {
		return sum + ((variants ?? prices) === undefined ? 2 : 3);
	}, 0);

/** A product that was created here. */
interface Created {
	sku: string;
	/** Undefined where the answer did not show it. */
	id?: string;
}

/**
 * Products that this process has created, by API key and SKU: the platform's search may show them only later, also to
 * another execution, or when n8n runs the node again (Retry On Fail). The oldest are forgotten.
 */
const created = new Map<string, Created>();
const MAX_CREATED = 10_000;

const createdKey = ({ client }: BatchCall, sku: string) => `${client.credentialId} ${skuKey(sku)}`;

/**
 * Does without batches: looks up each SKU, then creates or updates its product. Items of one SKU, and those of one
 * product, go one after the other, in input order.
 *
 * @param done takes the products that were written
 */
export async function sendSingles(
	call: BatchCall,
	items: readonly HeldItem[],
	done: TakeProduct,
): Promise<void> {
	// Held until an item has its place for its product, so that these are in input order.
	const order = `look-up ${randomUUID()}`;
	let sent = 0;
	await inParallel(
		items.filter(({ isDone }) => !isDone),
		call.client.options.maxInFlight,
		async (item) => {
			await sendOne(call, item, order, done);
			call.report.progress(++sent, items.length, 'products');
		},
		() => call.stopped(),
	);
}

async function sendOne(
	call: BatchCall,
	item: HeldItem,
	order: string,
	done: TakeProduct,
): Promise<void> {
	const [ofSku, turn] = [take([`${order} ${skuKey(item.sku)}`]), take([order])];
	await ofSku.ready;
	if (!call.stopped()) await sendFound(call, item, turn, done);
	turn.release();
	ofSku.release();
}

/** @param turn is released once the item has its place for its product */
async function sendFound(
	call: BatchCall,
	item: HeldItem,
	turn: Lock,
	done: TakeProduct,
): Promise<void> {
	const found = await settled(productIdOf(call, item.sku));
	await turn.ready;
	if (found.status === 'rejected') return call.failed([item], found.reason);
	const id = found.value;
	const path = id === undefined ? [] : [expandPath(PATH, { productId: id })];
	const ofProduct = take(path.map((one) => `${call.client.credentialId} ${one}`));
	turn.release();
	await ofProduct.ready;
	const written = await settled(write(call, item, id));
	ofProduct.release();
	if (written.status === 'rejected') call.failed([item], written.reason);
	else done(item, written.value, id === undefined ? 'created' : 'updated');
}

const NOTHING_SENT = 'Nothing was sent for it.';
const USE_UPDATE = 'Use the operation Update with the product’s ID.';

/**
 * Finds the product that has a SKU.
 *
 * @returns undefined where there is none
 * @throws InputError where that is not certain, PlatformError
 */
async function productIdOf(call: BatchCall, sku: string): Promise<string | undefined> {
	const { records, whole } = await searched(call.client, productsBySku, sku);
	// A product that changes during a search may come twice.
	const ids = new Set(
		records.filter((one) => skusOf(one).includes(sku)).map(({ id }) => String(id)),
	);
	if (ids.size > 1)
		throw new InputError(
			'SKU',
			`“${sku}” names ${ids.size} products`,
			`${NOTHING_SENT} ${USE_UPDATE}`,
		);
	if (ids.size === 1) return [...ids][0];
	const own = await createdBefore(call, sku);
	if (own?.sku === sku) return own.id;
	const others = [...records.flatMap(skusOf), ...(own === undefined ? [] : [own.sku])];
	const alike = others.find((one) => skuKey(one) === skuKey(sku));
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
		`Whether the shop has it is not known, so nothing was sent for it. ${USE_UPDATE.replace(/\.$/, ', or Create.')}`,
	);
}

/**
 * The product that was created here with a SKU, while the search does not show it.
 *
 * @returns undefined where there is none, or it was deleted since
 * @throws InputError, PlatformError
 */
async function createdBefore(call: BatchCall, sku: string): Promise<Created | undefined> {
	const key = createdKey(call, sku);
	const own = created.get(key);
	if (own === undefined) return undefined;
	if (own.id === undefined) {
		const remedy = `${NOTHING_SENT} Run this item again once the shop’s search shows the product.`;
		throw new InputError(
			'SKU',
			`“${own.sku}” was created before, and the answer did not show its ID`,
			remedy,
		);
	}
	const shown = await settled(readProduct(call.client, own.id));
	if (shown.status === 'fulfilled' && skusOf(shown.value.product).includes(own.sku)) return own;
	if (shown.status === 'rejected' && !isNotFound(shown.reason)) throw shown.reason;
	created.delete(key);
	return undefined;
}

/** @returns the product as the platform answered it, where it did */
async function write(
	call: BatchCall,
	item: HeldItem,
	productId: string | undefined,
): Promise<IDataObject | undefined> {
	const { sku, fields } = item;
	const named = namedVariants(sku, fields);
	const body = without(fields, ['sku', 'prices', 'variants']);
	if (productId === undefined) return await create(call, item, body, named);
	const update: PlatformRequest = { method: 'PATCH', path: PATH, pathParams: { productId }, body };
	const read = async () => await readProduct(call.client, productId);
	if (named.length === 0) return (await call.send(update, [item])).record;
	const sent = await writeMerged(await read(), read, async (current, attempt) => {
		// Written again after a conflict, in which nothing was written.
		if (attempt > 1) call.refused([item]);
		return await call.send(mergedRequest(update, current, 'Variants', named), [item]);
	});
	return sent.record;
}

/** The same product as the batch's operation makes: its SKU is the SKU of a variant. */
async function create(
	call: BatchCall,
	item: HeldItem,
	fields: IDataObject,
	named: readonly IDataObject[],
): Promise<IDataObject | undefined> {
	const { sku } = item;
	const variants = named.length === 0 ? [{ sku }] : [...named];
	if (!variants.some((one) => one.sku === sku))
		throw new InputError(
			'SKU',
			`“${sku}” is not the SKU of one of the product’s variants`,
			'It was not created, since nothing would find it by this SKU again. Enter the SKU of a variant.',
		);
	const body = { ...fields, variants };
	const { record } = await call.send({ method: 'POST', path: '/products', body }, [item]);
	const id = typeof record?.id === 'string' ? record.id : undefined;
	for (const one of variants)
		created.set(createdKey(call, String(one.sku)), { sku: String(one.sku), id });
	for (const oldest of created.keys()) {
		if (created.size <= MAX_CREATED) break;
		created.delete(oldest);
	}
	return record;
}

/**
 * What an operation says of variants: those that it lists, or the prices of the one that its SKU names.
 *
 * @returns an empty list where it says nothing of them
 * @throws InputError where they cannot be told apart
 */
function namedVariants(sku: string, { variants, prices }: IDataObject): IDataObject[] {
	const listed = variants === undefined ? [] : listOf('Product: variants', variants);
	if (prices === undefined) return listed.map(readVariant);
	if (listed.length === 0) return [readVariant({ sku, prices }, 0)];
	throw new InputError(
		'Product',
		'holds both “variants” and “prices”',
		'Nothing was sent for it: one by one only one of them can be. Put the prices into the variants.',
	);
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
	throw new InputError(place, 'must be a list of objects', NOTHING_SENT);
}
