import { pick, seeded } from '../../platform/support/random';
import type { Progress } from '../../test/support/progress';
import {
	addFulfillment,
	addRefund,
	cancelOrder,
	findOrder,
	moveFulfillment,
	moveOrder,
	openLines,
} from './orders';
import { addOptionGroup, productFilter, updateVariant } from './products';
import { writeCustomer } from './shop';
import { change, findAll, graphql, mutate, service } from './vendure';
import { done, slugOf, type Json, type Outcome } from './values';

const PRODUCTS = 320;
const CUSTOMERS = 60;
const SIZES = ['Small', 'Medium', 'Large'];
const KINDS = ['Chair', 'Table', 'Lamp', 'Rug', 'Mug', 'Shirt', 'Poster', 'E-Book'];
const MATERIALS = [
	'Oak',
	'Pine',
	'Beech',
	'Walnut',
	'Ash',
	'Linen',
	'Cotton',
	'Wool',
	'Steel',
	'Glass',
];
const FIRST_NAMES = ['Ada', 'Bo', 'Clara', 'Dario', 'Eva', 'Finn', 'Greta', 'Hugo', 'Ines', 'Jon'];
const LAST_NAMES = ['Example', 'Sample', 'Muster', 'Proben', 'Beispiel', 'Tester'];

const random = seeded(7);
/** A drawn number below `limit`. */
const drawn = (limit: number): number => Math.floor(random() * limit);
const one = <T>(list: T[]): T => pick(list, random);

/** Fills an empty shop: 320 products, 60 customers, 215 orders of 25 kinds. */
export async function seed(progress: Progress): Promise<void> {
	await graphql(
		'mutation { updateChannel(input: { id: "1", availableCurrencyCodes: [EUR, USD], defaultCurrencyCode: EUR, pricesIncludeTax: true }) { __typename } }',
	);
	const locations: string[] = [];
	for (const name of ['Berlin Warehouse', 'Outlet Store'])
		locations.push((await mutate('createStockLocation', 'CreateStockLocationInput', { name })).id);
	const byKind = KINDS.map((): string[] => []);
	for (let n = 1; n <= PRODUCTS; n++)
		byKind[n % KINDS.length].push(await createProduct(n, ['1', locations[0]]));
	for (const [index, ids] of byKind.entries()) {
		const name = `${KINDS[index]}s`;
		const texts = { languageCode: 'en', name, slug: slugOf(name), description: '' };
		const input = { filters: productFilter(ids), translations: [texts] };
		await mutate('createCollection', 'CreateCollectionInput', input);
	}
	const translations = [{ languageCode: 'en', name: 'Summer' }];
	const promotion = { enabled: true, couponCode: 'SUMMER10', conditions: [], translations };
	const withAction = { ...promotion, actions: [TEN_PERCENT] };
	await mutate('createPromotion', 'CreatePromotionInput', withAction, '__typename');
	for (let n = 0; n < CUSTOMERS; n++) {
		const [first, last] = [FIRST_NAMES[n % 10], `${LAST_NAMES[n % 6]}${n}`];
		await writeCustomer({
			first_name: first,
			last_name: last,
			email_address: `${first}.${last}@mail.example`.toLowerCase(),
			phone_number: `+49 30 ${100_000 + n}`,
			accepts_marketing: n % 3 === 0,
		});
	}
	progress.detail('products and customers are there');
	for (const [kind, [count]] of Object.entries(ORDERS))
		for (let n = 0; n < count; n++) await makeOrder(kind);
}

const TEN_PERCENT = {
	code: 'order_percentage_discount',
	arguments: [{ name: 'discount', value: '10' }],
};

const kindOf = (n: number): string => KINDS[n % KINDS.length];
const isPublished = (n: number): boolean => n % 7 !== 0;
const sizesOf = (n: number): string[] => (kindOf(n) !== 'E-Book' && n % 3 === 0 ? SIZES : ['']);
const variantSkus = (n: number): string[] => {
	const sku = `${kindOf(n).slice(0, 2).toUpperCase()}-${1_000 + n}`;
	return sizesOf(n).map((size) => (size === '' ? sku : `${sku}-${size[0]}`));
};

async function createProduct(n: number, locations: string[]): Promise<string> {
	const kind = kindOf(n);
	const name = `${MATERIALS[n % 10]} ${kind} ${n}`;
	const sizes = sizesOf(n);
	const skus = variantSkus(n);
	const texts = { languageCode: 'en', name, slug: slugOf(name), description: `<p>${name}</p>` };
	const product = await mutate('createProduct', 'CreateProductInput', {
		enabled: isPublished(n),
		translations: [texts],
	});
	const group = sizes.length > 1 ? await addOptionGroup(product, `size-${n}`, sizes) : undefined;
	const price = 490 + drawn(30_000);
	const input = sizes.map((size, index) => ({
		productId: product.id,
		sku: skus[index],
		translations: [{ languageCode: 'en', name: `${name} ${size}`.trim() }],
		price: price + index * 500,
		optionIds: group === undefined ? [] : [group.options[index].id],
		taxCategoryId: kind === 'Mug' ? '2' : '1',
		stockLevels: locations.map((stockLocationId) => ({
			stockLocationId,
			stockOnHand: 200 + drawn(60),
		})),
		trackInventory: kind === 'E-Book' ? 'FALSE' : 'INHERIT',
	}));
	const type = '[CreateProductVariantInput!]';
	const variants = await mutate<Array<{ id: string }>>('createProductVariants', type, input);
	for (const [index, { id }] of variants.entries()) {
		const euros = price + index * 500;
		const dollars = { currencyCode: 'USD', price: Math.round(euros * 1.1) };
		await updateVariant({ id, prices: [{ currencyCode: 'EUR', price: euros }, dollars] });
	}
	return product.id;
}

interface Basket {
	/** How many pieces of each line. */
	pieces: number[];
	isDigital?: boolean;
	hasCoupon?: boolean;
	currency?: string;
	shipping?: string;
}

/** The seeded variants of published products; what the tries create later is not ordered. */
const skusOf = (isDigital: boolean): string[] =>
	Array.from({ length: PRODUCTS }, (_, index) => index + 1)
		.filter(isPublished)
		.filter((n) => isDigital === (kindOf(n) === 'E-Book'))
		.flatMap(variantSkus);

/** A draft order of drawn variants for a drawn customer. @returns its ID */
async function draft(basket: Basket): Promise<string> {
	const { pieces, isDigital = false, hasCoupon = false, currency, shipping } = basket;
	const ids = async (name: string, options: Json) =>
		(await findAll<{ id: string }>(name, 'id', options)).map(({ id }) => id);
	const goods = await ids('productVariants', {
		take: 600,
		filter: { sku: { in: skusOf(isDigital) } },
	});
	const customers = await ids('customers', { take: CUSTOMERS });
	const [method] = await ids('shippingMethods', {
		filter: { name: { eq: isDigital ? 'Download' : (shipping ?? 'Standard Shipping') } },
	});
	const created = 'mutation { createDraftOrder { id } }';
	const { createDraftOrder } = await graphql<{ createDraftOrder: { id: string } }>(
		created,
		{},
		currency,
	);
	const order = createDraftOrder.id;
	const step = async (
		call: string,
		fields = '__typename ... on ErrorResult { errorCode message }',
	) => {
		const mutation = `mutation { result: ${call.replace('(', `(orderId: "${order}", `)} { ${fields} } }`;
		done((await graphql<{ result: Outcome<object> }>(mutation, {}, currency)).result);
	};
	const chosen = new Set<string>();
	while (chosen.size < pieces.length) chosen.add(one(goods));
	for (const [index, id] of [...chosen].entries())
		await step(
			`addItemToDraftOrder(input: { productVariantId: "${id}", quantity: ${pieces[index]} })`,
		);
	await step(`setCustomerForDraftOrder(customerId: "${one(customers)}")`);
	const address = `(input: { fullName: "${one(FIRST_NAMES)} ${one(LAST_NAMES)}", streetLine1: "Example Street ${1 + drawn(90)}", city: "Berlin", postalCode: "10115", countryCode: "DE" })`;
	await step(`setDraftOrderShippingAddress${address}`, 'id');
	await step(`setDraftOrderBillingAddress${address}`, 'id');
	if (hasCoupon) await step('applyCouponCodeToDraftOrder(couponCode: "SUMMER10")');
	await step(`setDraftOrderShippingMethod(shippingMethodId: "${method}")`);
	return order;
}

async function pay(id: string, method = 'card'): Promise<void> {
	const context = await service('RequestContextService').create({ apiType: 'admin' });
	const { message } = await service('TransactionalConnection').withTransaction(
		context,
		async (inside) =>
			await service('OrderService').addPaymentToOrder(inside, id, { method, metadata: {} }),
	);
	if (message !== undefined) throw new Error(message);
}

/** An order that is paid, or only authorized. */
async function paid(basket: Basket, method?: string): Promise<string> {
	const id = await draft(basket);
	await moveOrder(id, 'ArrangingPayment');
	await pay(id, method);
	return id;
}

/** What is open of an order, the most pieces first. */
const openOf = async (id: string) =>
	openLines(await findOrder(id)).sort((a, b) => b.quantity - a.quantity);

/** Sends a parcel, of all that is open or of some pieces, and moves it through these states. */
async function parcel(id: string, states: string[], quantities?: number[]): Promise<string> {
	const lines = await openOf(id);
	const chosen = quantities?.map((quantity, index) => ({ ...lines[index], quantity })) ?? lines;
	const sent = chosen.filter(({ quantity }) => quantity > 0);
	const code = states.length > 0 ? `JJD${drawn(1e8)}` : '';
	const fulfillment = await addFulfillment(sent, one(['DHL', 'UPS', 'GLS']), code);
	for (const name of states) await moveFulfillment(fulfillment.id, name);
	return fulfillment.id;
}

/** Gives an amount back, or all that was paid. */
async function giveBack(id: string, amount?: number): Promise<void> {
	const [payment] = (await findOrder(id)).payments ?? [];
	const input = { paymentId: payment.id, amount: amount ?? payment.amount, reason: 'returned' };
	await addRefund({ ...input, lines: [], shipping: 0, adjustment: 0 });
}

/** Takes pieces out of the open line that has the most. */
async function cancelPieces(id: string, quantity: number): Promise<void> {
	const [{ orderLineId }] = await openOf(id);
	await cancelOrder({ orderId: id, lines: [{ orderLineId, quantity }] });
}

const few = (): number => 1 + drawn(3);
const usual = (): Basket => ({ pieces: [few(), few()], hasCoupon: drawn(3) === 0 });

/** Makes a step after an order was made. */
const then =
	(make: () => Promise<string>, ...steps: Array<(id: string) => Promise<unknown>>) =>
	async (): Promise<string> => {
		const id = await make();
		for (const step of steps) await step(id);
		return id;
	};
const usualPaid = async () => await paid(usual());
const paidOf =
	(...pieces: number[]) =>
	async () =>
		await paid({ pieces });
const sent = async (id: string) => await parcel(id, ['Shipped']);

/** The kinds of orders: how many there are, and how one is made. */
const ORDERS: Record<string, [count: number, make: () => Promise<string>]> = {
	draft: [4, async () => await draft(usual())],
	arranging: [
		6,
		then(
			async () => await draft(usual()),
			(id) => moveOrder(id, 'ArrangingPayment'),
		),
	],
	authorized: [8, async () => await paid(usual(), 'card-authorize')],
	paid: [
		50,
		async () =>
			await paid({ ...usual(), shipping: 'Express Shipping' }, one(['card', 'bank-transfer'])),
	],
	paidDiscount: [8, async () => await paid({ pieces: [2, 1], hasCoupon: true })],
	paidDollars: [10, async () => await paid({ pieces: [2, 1], currency: 'USD' })],
	digital: [8, async () => await paid({ pieces: [1, 1], isDigital: true })],
	digitalSent: [4, then(async () => await paid({ pieces: [1, 1], isDigital: true }), sent)],
	prepared: [6, then(usualPaid, (id) => parcel(id, []))],
	partlyPrepared: [5, then(paidOf(3, 2), (id) => parcel(id, [], [1]))],
	partlyShipped: [12, then(paidOf(3, 2), (id) => parcel(id, ['Shipped'], [few()]))],
	shipped: [20, then(usualPaid, sent)],
	partlyDelivered: [5, then(paidOf(2, 2), (id) => parcel(id, ['Shipped', 'Delivered'], [2]))],
	delivered: [20, then(usualPaid, (id) => parcel(id, ['Shipped', 'Delivered']))],
	partlyRefunded: [6, then(paidOf(2, 1), (id) => giveBack(id, 500))],
	shippedPartlyRefunded: [4, then(usualPaid, sent, (id) => giveBack(id, 300))],
	refunded: [5, then(usualPaid, (id) => giveBack(id))],
	pieceCancelled: [
		6,
		then(
			paidOf(3, 1),
			(id) => cancelPieces(id, 1),
			(id) => giveBack(id, 400),
		),
	],
	lineCancelled: [4, then(paidOf(2, 1), (id) => cancelPieces(id, 2))],
	partlyShippedRestCancelled: [
		4,
		then(
			paidOf(2, 2),
			(id) => parcel(id, ['Shipped'], [2]),
			(id) => cancelPieces(id, 1),
		),
	],
	cancelled: [8, then(usualPaid, (orderId) => cancelOrder({ orderId, cancelShipping: true }))],
	cancelledRefunded: [
		3,
		then(
			paidOf(1, 1),
			(id) => giveBack(id),
			(orderId) => cancelOrder({ orderId }),
		),
	],
	parcelCancelled: [
		4,
		then(usualPaid, async (id) => await moveFulfillment(await parcel(id, []), 'Cancelled')),
	],
	modifying: [2, then(usualPaid, (id) => moveOrder(id, 'Modifying'))],
	surcharge: [
		3,
		then(
			usualPaid,
			(id) => moveOrder(id, 'Modifying'),
			addSurcharge,
			(id) => moveOrder(id, 'ArrangingAdditionalPayment'),
		),
	],
};

async function addSurcharge(orderId: string): Promise<void> {
	const surcharge = { description: 'Gift wrap', sku: 'GIFT', price: 300, priceIncludesTax: true };
	const input = { dryRun: false, orderId, surcharges: [surcharge] };
	await change('modifyOrder', 'ModifyOrderInput', input);
}

export const ORDER_KINDS = Object.keys(ORDERS);

/** Makes an order of a kind, as its customer and the shop would. @returns the engine's ID */
export const makeOrder = async (kind: string): Promise<string> => await ORDERS[kind][1]();
