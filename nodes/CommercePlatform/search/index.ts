import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { PERSON_WAITS, type PlatformClient } from '../../shared/rest/client';
import { mayRefuseParameter } from '../../shared/rest/errors';
import { withNodeErrors } from '../../shared/rest/nodeErrors';
import type { FetchedPage } from '../../shared/rest/pages';
import { withoutOwnerMark } from '../../shared/shop/events';
import { lineItemsOf, nameOf, orderNumberOf, personOf } from '../../shared/shop/records';
import { nounOf, RESOURCES, type ShopResource } from '../../shared/shop/resources';
import { shopClient } from '../../shared/shop/service';
import { isZone } from '../../shared/values/dates';
import { isObject, objectsIn } from '../../shared/values/json';
import { minorToMajor } from '../../shared/values/money';
import { optionalText } from '../../shared/values/readers';
import { listedField } from '../fields/freeBody';
import { skuOf } from '../resources/product/changes';
import { productFields } from '../resources/product/productFields';
import { openItemsOf } from '../resources/order/openItems';
import { ORDERS, plainNumber } from '../resources/order/order';
import { recordsNamed } from '../runner/lookup';

/** Enough to scroll in; more come with the next page. */
const SEARCH_PAGE_SIZE = 50;

/** How many pages are searched for a match while somebody waits. */
const MAX_PAGES_A_SEARCH = 4;

/** What users can choose. n8n stores the label of what is chosen in the workflow. */
interface Entry {
	/** A name, and enough to tell two records apart. */
	label: string;
	value: unknown;
	/** A further value that the search looks at. */
	alsoFoundBy?: unknown;
}

/** A list, and what its records give to choose from. */
interface SearchedList {
	list: ShopResource;
	/** Whether these are names that records hold, and not the records: a record that was found may hold others, too. */
	areNames?: true;
	/**
	 * Set if the list's own row in the API document does not name `q`: a platform may take no notice of it. What it finds is
	 * looked at here, and if nothing of it matches, its pages are searched.
	 */
	looksItself?: true;
	/** Whether the records that changed last come first, if the platform sorts by that. */
	newestFirst?: boolean;
	/** What is asked of the platform for what a person types. */
	asked?(typed: string): string;
	/** @param zone IANA name of the workflow’s timezone */
	entriesOf(record: IDataObject, zone: string): Entry[];
	/** Whether an operation, e.g. `fulfill`, can do something with the record. Such records stand first on a page. */
	suits?(record: IDataObject, operation: unknown): boolean;
}

/** What users can choose of some records, each value once. Records that suit the operation come first. */
function matchesIn(
	context: ILoadOptionsFunctions,
	{ entriesOf, suits }: SearchedList,
	records: readonly IDataObject[],
	filter: string,
): INodeListSearchItems[] {
	const operation = suits && context.getCurrentNodeParameter('operation');
	const unsuited = (record: IDataObject) => Number(suits?.(record, operation) === false);
	const labels = new Map<string, string>();
	for (const record of [...records].sort((a, b) => unsuited(a) - unsuited(b)))
		for (const { label, value, alsoFoundBy } of entriesOf(record, context.getTimezone()))
			if (typeof value === 'string' && matches(join(label, alsoFoundBy), filter))
				labels.set(value, label);
	return [...labels].map(([value, name]) => ({ name, value }));
}

/** Marks a cursor of a walk without the platform's search. */
const OWN_WALK = 'walk ';

/**
 * A search over a list endpoint: reads pages until one has a match, a few at most, and shows each value once. The
 * platform searches if the list takes words (`q`). If it refuses them, the pages are searched here.
 */
function searchIn(searched: SearchedList) {
	const { list, areNames, looksItself, newestFirst } = searched;
	const { asked = (typed: string) => typed.trim() } = searched;
	const noun = nounOf(list);
	const mayTakeWords = list.filters.includes('q');
	return async function (
		this: ILoadOptionsFunctions,
		filter = '',
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const isFirst = paginationToken === undefined;
		const isOwnWalk = paginationToken?.startsWith(OWN_WALK) === true;
		let takesWords = mayTakeWords && !isOwnWalk;
		let hasPlatformSearched = false;
		const tokenOf = (cursor?: string) =>
			cursor === undefined || takesWords || !mayTakeWords ? cursor : OWN_WALK + cursor;
		return await withNodeErrors(this, { noun }, async () => {
			const client = await shopClient(this, PERSON_WAITS);
			const read = async (startCursor?: string): Promise<FetchedPage> => {
				// Pages that are searched here are the longest that there are. Many records may hold few names.
				const isShort = takesWords || (filter === '' && !areNames);
				const pageSize = isShort ? SEARCH_PAGE_SIZE : undefined;
				const q = (takesWords && asked(filter)) || undefined;
				const options = { pageSize, q, startCursor, newestFirst };
				const page = await pageOf(client, list, options).catch((error: unknown) => {
					// The document gives `q` to lists in general, but not every list's own row names it.
					if (q === undefined || !mayRefuseParameter(error)) throw error;
					return undefined;
				});
				hasPlatformSearched ||= q !== undefined && page !== undefined;
				if (page !== undefined) return page;
				takesWords = false;
				return await read(startCursor);
			};
			let startCursor = isOwnWalk ? paginationToken?.slice(OWN_WALK.length) : paginationToken;
			let searchedCount = 0;
			for (let pages = 0; pages < MAX_PAGES_A_SEARCH; pages++) {
				const { records, hasMore, nextCursor } = await read(startCursor);
				searchedCount += records.length;
				startCursor = hasMore ? nextCursor : undefined;
				const isFound = takesWords && !areNames && !looksItself;
				const results = matchesIn(this, searched, records, isFound ? '' : filter);
				const isInVain = results.length === 0 && takesWords && looksItself && filter !== '';
				if (isInVain && isFirst) {
					takesWords = false;
					startCursor = undefined;
				} else if (results.length > 0 || startCursor === undefined)
					return { results, paginationToken: tokenOf(startCursor) };
			}
			// An error would take away what was found before, and the field to search in.
			if (!isFirst || hasPlatformSearched)
				return { results: [], paginationToken: tokenOf(startCursor) };
			// “No results” would say that there is no such record, though only some records were searched.
			throw new Error(
				`Searched the first ${searchedCount} ${noun}s and found no match. Enter it instead.`,
			);
		});
	};
}

/** Reads one page only: walking would fetch the next one ahead, in vain if this one has a match. */
async function pageOf(
	client: PlatformClient,
	{ path, takesQuery }: ShopResource,
	{ q, ...options }: Parameters<PlatformClient['page']>[1] & { q?: string },
) {
	return await client.page({ method: 'GET', path, query: { q } }, { ...options, takesQuery });
}

/**
 * What the user has chosen in a resource locator, while the node is edited.
 *
 * @param parameter e.g. `orderId`
 * @returns undefined if nothing is chosen, or an expression, which only a run can read
 */
function chosenIn(context: ILoadOptionsFunctions, parameter: string): Chosen | undefined {
	const locator: unknown = context.getCurrentNodeParameter(parameter);
	if (!isObject(locator) || typeof locator.value !== 'string') return undefined;
	const value = optionalText(parameter, locator.value);
	if (value === undefined || value.startsWith('=')) return undefined;
	return { mode: String(locator.mode), value };
}

interface Chosen {
	mode: string;
	value: string;
}

/**
 * How many records are read for the names of their fields, with one request. Some records leave out fields without a
 * value.
 */
const MAX_RECORDS_FOR_FIELDS = 10;

/** Fields that the platform writes itself. */
const PLATFORM_FIELDS = ['id', 'created_at', 'updated_at'];

/**
 * Suggests the names of fields that the API document does not show: those of the chosen record, else of the newest
 * ones. Their values are not shown, since n8n stores the label of what is chosen in the workflow.
 *
 * @param locator the resource locator of an operation on one record, e.g. `customerId`
 * @param ownFields names for which the operation has fields of its own
 */
function searchFieldNames(list: ShopResource, locator?: string, ownFields: string[] = []) {
	return async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const noun = nounOf(list);
		const { path } = list;
		const { mode, value = '' } = (locator && chosenIn(this, locator)) || {};
		const records = await withNodeErrors(this, { noun }, async () => {
			const client = await shopClient(this, PERSON_WAITS);
			if (mode === 'list' || mode === 'id') return [await recordWith(client, path, value)];
			const newest = { pageSize: MAX_RECORDS_FOR_FIELDS, newestFirst: true };
			return (await pageOf(client, list, newest)).records;
		});
		if (records.length === 0)
			throw new Error(`Your shop has no ${noun} yet that shows its fields. Use 'Name'.`);
		const values = new Map<string, unknown>();
		for (const [name, field] of records.flatMap((record) => Object.entries(record)))
			if (![...PLATFORM_FIELDS, ...ownFields].includes(name))
				values.set(name, values.get(name) ?? field);
		const results = [...values]
			.filter(([name]) => matches(name, filter))
			.map(([name, value]) => listedField(name, value));
		return { results };
	};
}

/** Searches the open line items of the chosen order. */
async function searchOpenItems(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const chosen = chosenIn(this, 'orderId');
	if (chosen === undefined)
		throw new Error(
			"Choose an order first. If it comes from an expression, only a run knows it: use 'ID'.",
		);
	const order = await withNodeErrors(this, { noun: 'order' }, async () => {
		const client = await shopClient(this, PERSON_WAITS);
		return await recordWith(client, ORDERS.path, await orderIdOf(client, chosen));
	});
	return { results: openLines(order).filter(({ name }) => matches(name, filter)) };
}

async function recordWith(client: PlatformClient, list: string, id: string): Promise<IDataObject> {
	const path = `${list}/{id}`;
	const { record } = await client.request({ method: 'GET', path, pathParams: { id } });
	return record ?? {};
}

async function orderIdOf(client: PlatformClient, { mode, value }: Chosen): Promise<string> {
	const key = ORDERS.locator.names.get(mode);
	if (key === undefined) return value;
	const { records } = await recordsNamed(client, key, value);
	if (records.length === 1) return String(records[0].id);
	throw new Error(
		`The order with the ${key.called} “${value}” was not found. Choose it From List.`,
	);
}

/** The open lines of an order, as a person knows them. If the order does not say what is open, all of its lines. */
function openLines(order: IDataObject): INodeListSearchItems[] {
	const openQuantities = openQuantitiesOf(order);
	return (lineItemsOf(order) ?? []).flatMap((line) => {
		const id = String(line.line_item_id ?? line.id);
		const openQuantity = openQuantities?.get(id);
		if (openQuantities !== undefined && openQuantity === undefined) return [];
		// e.g. `Linen Shirt · LIN-1 · 1 of 2 open`
		const lineName = lineNameOf(line) || id;
		const openText =
			openQuantity === undefined ? '' : `${openQuantity} of ${String(line.quantity)} open`;
		return [{ name: join(lineName, openText), value: id }];
	});
}

/** Title and SKU of a line; some platforms keep them in the line's product or variant. */
function lineNameOf(line: IDataObject): string {
	const holders = [line, line.product_variant, line.variant, line.product].filter(isObject);
	const first = (read: (holder: IDataObject) => unknown) =>
		holders.map(read).find((value) => typeof value === 'string' && value !== '');
	return join(
		first((holder) => nameOf(holder) ?? holder.product_title),
		first(({ sku }) => sku),
	);
}

function openQuantitiesOf(order: IDataObject): Map<string, number> | undefined {
	try {
		return new Map(openItemsOf(order).map((item) => [item.line_item_id, item.quantity]));
	} catch {
		return undefined;
	}
}

/** By operation: the states of an order that forbid it (API document, "States and transitions"). */
const FORBIDDEN_IN: Partial<Record<string, readonly string[]>> = {
	cancel: ['cancelled', 'fulfilled'],
	fulfill: ['cancelled', 'created', 'fulfilled'],
	refund: ['cancelled', 'created'],
};

/** The searches behind "From List". */
export const listSearch = {
	searchCategoryFields: searchFieldNames(RESOURCES.category),
	searchCustomerFields: searchFieldNames(RESOURCES.customer, 'customerId'),
	searchCustomers: searchIn({
		list: RESOURCES.customer,
		looksItself: true,
		// The label shows no e-mail address, unless there is no name.
		entriesOf: (customer) => [
			{
				label: join(nameOf(customer) ?? customer.email, customer.id),
				value: customer.id,
				alsoFoundBy: customer.email,
			},
		],
	}),
	searchLevelSkus: searchIn({
		list: RESOURCES.inventory,
		areNames: true,
		entriesOf: ({ sku }) => [{ label: labelText(sku), value: sku }],
	}),
	// The API document gives locations no list of their own.
	searchLocations: searchIn({
		list: RESOURCES.inventory,
		areNames: true,
		entriesOf: ({ location_id: id }) => [{ label: labelText(id), value: id }],
	}),
	searchOpenItems,
	searchOrderFields: searchFieldNames(RESOURCES.order, 'orderId', ['merchant_note']),
	searchOrders: searchIn({
		list: RESOURCES.order,
		newestFirst: true,
		asked: plainNumber,
		entriesOf: (order, zone) => [{ label: orderLabel(order, zone), value: order.id }],
		suits: ({ status }, operation) =>
			FORBIDDEN_IN[String(operation)]?.includes(String(status)) !== true,
	}),
	searchProductFields: searchFieldNames(RESOURCES.product, 'productId', [
		'title',
		...productFields.map(({ name }) => name),
	]),
	searchProducts: searchIn({
		list: RESOURCES.product,
		entriesOf: (product) => [{ label: productLabel(product), value: product.id }],
	}),
	// SKUs with the titles of their product and variant (API document, "Product", "Variant").
	searchSkus: searchIn({
		list: RESOURCES.product,
		areNames: true,
		entriesOf: ({ title, variants }) =>
			objectsIn(variants).map((variant) => ({
				label: join(skuOf(variant), title, variant.title),
				value: skuOf(variant),
			})),
	}),
	searchWebhooks: searchIn({
		list: RESOURCES.webhook,
		entriesOf: ({ id, url, status, description }) => [
			{ label: join(withoutOwnerMark(description), url, status, id), value: id },
		],
	}),
};

/** A longer list in the editor is no help; an expression takes any ID. */
const MAX_CATEGORIES = 1000;

/** The shop's categories, for multi-selects. */
async function getCategories(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await withNodeErrors(this, { noun: 'category' }, async () => {
		const client = await shopClient(this, PERSON_WAITS);
		const categories: INodePropertyOptions[] = [];
		const list = { method: 'GET', path: RESOURCES.category.path } as const;
		for await (const { records } of client.pages(list, { limit: MAX_CATEGORIES }))
			for (const record of records) {
				const { id } = record;
				if (typeof id !== 'string') continue;
				categories.push({ name: nameOf(record) ?? id, value: id, description: id });
			}
		return categories.sort((a, b) => a.name.localeCompare(b.name));
	});
}

export const loadOptions = { getCategories };

const labelText = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** Joins what is known about a record into one line. */
function join(...parts: unknown[]): string {
	return parts
		.map(labelText)
		.filter((part) => part !== '')
		.join(' · ');
}

/** Whether a label contains what a person searches, whatever the case of letters. */
const matches = (label: string, search: string): boolean =>
	label.toLowerCase().includes(search.trim().toLowerCase());

/** e.g. `199.00 EUR`; minor units if the currency is unknown. */
function amountOf(money: unknown): string {
	const { amount, currency } = (money ?? {}) as IDataObject;
	return `${minorToMajor(amount, currency) ?? labelText(amount)} ${labelText(currency)}`.trim();
}

/** A product as people call it, e.g. `Linen shirt · published · SHIRT-M (+ 2)`. */
function productLabel({ id, title, status, variants }: IDataObject): string {
	const skus = objectsIn(variants)
		.map(({ sku }) => labelText(sku))
		.filter(Boolean);
	const others = skus.length > 1 ? ` (+ ${skus.length - 1})` : '';
	return join(title, status, skus.length > 0 ? skus[0] + others : id);
}

/**
 * An order as people call it, e.g. `#1041 · Ada Berg · 143.80 EUR · paid · changed 21 Nov 2026`. The list is sorted by
 * the last change.
 *
 * @param zone IANA name, for the day
 */
function orderLabel(order: IDataObject, zone: string): string {
	const number = orderNumberOf(order);
	const numberText = number !== undefined && /^\d/.test(number) ? `#${number}` : number;
	const changedMs = Date.parse(String(order.updated_at));
	const day = Number.isNaN(changedMs) ? '' : `changed ${dayOf(changedMs, zone)}`;
	// n8n stores the label with the workflow, so it shows an e-mail address only if the order shows neither a person nor
	// a number.
	const person = personOf(order) ?? (numberText === undefined ? order.email : undefined);
	return join(numberText ?? order.id, person, amountOf(order.total), order.status, day);
}

/** Made once a zone: making a format takes longer than using it. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();

function dayOf(atMs: number, timezone: string): string {
	const timeZone = isZone(timezone) ? timezone : 'UTC';
	const format =
		dayFormats.get(timeZone) ??
		new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short', year: 'numeric' });
	dayFormats.set(timeZone, format);
	return format.format(atMs);
}
