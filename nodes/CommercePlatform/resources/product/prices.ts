import type { IDataObject } from 'n8n-workflow';

import { inParallel } from '../../../shared/rest/client';
import { nextTurn } from '../../../shared/rest/clock';
import { InputError } from '../../../shared/rest/errors';
import { objectsIn, pick } from '../../../shared/values/json';
import { textField } from '../../../shared/values/fields';
import { amountFields, amountOptions, enteredMoney } from '../../fields/amounts';
import { skuLocator } from '../../fields/locator';
import { dryRun, onlyIfChanged } from '../../fields/options';
import type { BulkCall, BulkItem } from '../../runner/operation';
import { counted } from '../../runner/report';
import { all } from '../makeOperation';
import { changesNothing, currencyKey, previewRow } from './changes';
import { isDone, plannedWrites, type ProductWrite, skuOfItem } from './plan';
import { readSku } from './specifyProduct';
import { type KnownWrite, patchProduct, withSkuLocks } from './writeProduct';

/** A variant's price in one currency. */
interface Price {
	sku: string;
	/** Minor units. */
	amount: number;
	currency: string;
}

/** A new price, and the amount that it replaces. Minor units. */
interface Replaced {
	amount: number;
	old: unknown;
}

/** At most: one to read the product once more, one to write it. */
const REQUESTS_PER_PRODUCT = 2;

/** The label of the field for a new price. */
const PRICE = 'Price';

export const setPrices = all({
	request: 'PATCH /products/{productId}',
	name: 'Set Prices',
	value: 'setPrices',
	action: 'Set product prices',
	description: 'Set prices of variants by SKU, and change nothing else of their products',
	// Prices in two currencies do not overwrite each other.
	targetsOf: ({ fields: { sku, prices } }) =>
		objectsIn(prices).map(({ currency }) => `SKU ${String(sku)} ${String(currency)}`),
	makesRows: true,
	run: writePrices,
	fields: [
		skuLocator(
			'Stock keeping unit of the variant, exactly as the shop has it',
			'searchSkus',
			readSku,
		),
		...amountFields(PRICE, 'The new price', { required: true }),
		textField(
			'Currency',
			'currency',
			'Three-letter currency code, e.g. EUR. A price in a new currency is added to the variant.',
			{
				required: true,
				example: 'EUR',
				send: {
					in: 'body',
					read: (_label, _value, item) => ({ prices: [enteredMoney(PRICE, item, 0)] }),
				},
			},
		),
	],
	options: [
		...amountOptions,
		dryRun,
		{
			...onlyIfChanged,
			description:
				'Whether to skip prices that the shop has already. On by default; switch it off to write all of them.',
		},
	],
});

/**
 * Sets the prices of all input items. Each product is read once and written once, with the prices of all its variants
 * together, unless it has them already. If two items name the same SKU and currency, the later one counts. Runs that
 * write one SKU go one after the other.
 *
 * @throws PlatformError if the products cannot be looked up
 */
async function writePrices(bulkCall: BulkCall): Promise<void> {
	const call = { ...bulkCall, options: { onlyIfChanged: true, ...bulkCall.options } };
	const { items, report } = call;
	const replaced: Replaced[] = [];
	if (call.options.dryRun === true)
		await showPrices(call, await plannedWrites(call, items, 'variants'), replaced);
	else
		await withSkuLocks(call, async () => {
			const planned = await plannedWrites(call, items, 'variants');
			failUnknown(call, planned);
			let doneCount = items.filter(({ hasResult }) => hasResult).length;
			await inParallel(
				knownWrites(planned),
				call.client.options.maxInFlight,
				async (write) => {
					await priceProduct(call, write, replaced);
					report.progress((doneCount += write.items.length), items.length, 'prices');
				},
				() => call.stopped(),
			);
		});
	hintAtOldPrices(call, replaced);
}

/** Tells if prices were so already, or if most are exactly 100 times the old ones: euros taken for cents. */
function hintAtOldPrices({ report }: BulkCall, replaced: readonly Replaced[]): void {
	const total = counted(replaced.length);
	const same = replaced.filter(({ amount, old }) => amount === old).length;
	if (same > 0) report.hint(`${counted(same)} of ${total} prices were so already.`);
	const large = replaced.filter(({ amount, old }) => amount > 0 && amount === 100 * Number(old));
	if (2 * large.length > replaced.length)
		report.hint(
			`${counted(large.length)} of ${total} new prices are exactly 100 times the old ones. Check 'Amounts Are In'.`,
		);
}

/** Fails what names no product of the shop, before anything is written. */
function failUnknown(call: BulkCall, writes: readonly ProductWrite[]): void {
	for (const { items, sku, product } of writes) {
		if (product !== undefined) continue;
		const problem = `“${sku}” names no variant of any product`;
		const remedy = 'No price was set for it. Check the SKU, upper and lower case included.';
		call.failed(items, new InputError('SKU', problem, remedy, undefined, 'notFound'));
	}
}

/** Takes the writes that are open off the list, so that each one's product is let go of once it is written. */
function* knownWrites(planned: ProductWrite[]): Generator<KnownWrite, void> {
	planned.reverse();
	for (let write = planned.pop(); write !== undefined; write = planned.pop()) {
		const { product } = write;
		if (product !== undefined && !isDone(write)) yield { ...write, product };
	}
}

/** For prices whose earlier write had no answer: what is read now is no price from before. */
const SET_BEFORE =
	"An earlier try may have set some prices already. They have no 'previous': it is not known.";

/** Writes one product. With Only If Changed, a product that has these prices already is not written. */
async function priceProduct(
	call: BulkCall,
	write: KnownWrite,
	replaced: Replaced[],
): Promise<void> {
	const { items, product, variantChanges } = write;
	const isSkipped =
		call.options.onlyIfChanged === true && changesNothing(product.variants, variantChanges);
	const written = isSkipped
		? { before: product, answer: undefined }
		: await patchProduct(call, write).catch((error: unknown) => call.failed(items, error));
	if (!written) return;
	const { before, answer } = written;
	for (const [item, price] of pricesByItem(write)) {
		const old = priceIn(before, price)?.amount;
		if (item.mayBeApplied && old === price.amount) {
			call.report.hint(SET_BEFORE);
			const result = resultOf(price, before);
			call.done([item], pick(result, ['sku', 'price', 'productId', 'productTitle']));
			continue;
		}
		replaced.push({ amount: price.amount, old });
		const result =
			answer === undefined
				? { ...resultOf(price, before), skipped: true }
				: writtenPrice(call, price, before, answer.record);
		call.done([item], result);
	}
}

/** What each item of a write sets. Items with one SKU and currency share one price, which is that of the last item. */
function* pricesByItem({
	items,
	variantChanges,
}: ProductWrite): Generator<[BulkItem, Price], void> {
	const changes = new Map(variantChanges.map(({ sku, prices }) => [sku, objectsIn(prices)]));
	for (const item of items) {
		const [{ currency }] = objectsIn(item.fields.prices);
		const price = changes.get(skuOfItem(item))?.find((entry) => entry.currency === currency);
		yield [item, { ...price, sku: skuOfItem(item) } as unknown as Price];
	}
}

/** What an item returns: the price as it is now, and as it was. */
const resultOf = (price: Price, before: IDataObject | undefined): IDataObject => ({
	sku: price.sku,
	price: amountAndCode(price),
	previous: priceIn(before, price) ?? null,
	productId: before?.id,
	productTitle: typeof before?.title === 'string' ? before.title : null,
});

const amountAndCode = ({ amount, currency }: Price) => ({ amount, currency });

/** The result of a price that was written, as the platform's answer shows it. */
function writtenPrice(
	{ report }: BulkCall,
	price: Price,
	before: IDataObject,
	answered: IDataObject | undefined,
): IDataObject {
	const { sku, currency } = price;
	const result = resultOf(price, before);
	const variant = objectsIn(before.variants).find((entry) => entry.sku === sku);
	const others = objectsIn(variant?.prices).map((entry) => currencyKey(entry.currency));
	// The currency may be mistyped.
	if (result.previous === null && others.length > 0)
		report.hint(
			`A price in ${currency} was added to a variant that had prices in ${others.join(', ')}.`,
		);
	const shown = priceIn(answered, price);
	if (shown === undefined || shown?.amount === price.amount) return result;
	report.hint(
		"The platform answered some items with another price than was written: 'price' is the platform’s, 'written' is what was sent.",
	);
	return { ...result, currency, price: shown, written: amountAndCode(price) };
}

/**
 * The price that a product shows for a SKU and currency: null if there is none, undefined if the variant shows no
 * prices.
 */
function priceIn(product: IDataObject | undefined, { sku, currency }: Price) {
	const variant = objectsIn(product?.variants).find((entry) => entry.sku === sku);
	if (!Array.isArray(variant?.prices)) return undefined;
	const price = objectsIn(variant.prices).find((entry) => currencyKey(entry.currency) === currency);
	return price === undefined ? null : { amount: price.amount, currency };
}

/** Does the dry run: shows what would change. */
async function showPrices(
	call: BulkCall,
	writes: readonly ProductWrite[],
	replaced: Replaced[],
): Promise<void> {
	let sentCount = 0;
	for (const write of writes) {
		await nextTurn();
		const { product } = write;
		let isSent = product !== undefined && call.options.onlyIfChanged !== true;
		for (const [item, price] of pricesByItem(write)) {
			const { sku } = price;
			if (product === undefined) {
				call.done([item], previewRow({ sku }, [], 'unknown SKU'));
				continue;
			}
			const old = priceIn(product, price) ?? null;
			replaced.push({ amount: price.amount, old: old?.amount });
			const isSame = old?.amount === price.amount;
			isSent ||= !isSame;
			const changes = isSame ? [] : [{ field: 'price', old, new: amountAndCode(price) }];
			call.done([item], previewRow({ sku, title: product.title }, changes));
		}
		if (isSent) sentCount++;
	}
	call.report.wouldSend(sentCount * REQUESTS_PER_PRODUCT);
}
