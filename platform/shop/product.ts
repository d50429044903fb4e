import { generated, type RecordOf } from './collection';
import { mix, pick } from './random';
import { MATERIALS, STYLES, THINGS, VARIANTS } from './words';
import type { IdCodec } from './ids';

/** An amount as the API writes it: an integer in minor units, and its currency (Conventions). */
export interface Money {
	amount: number;
	currency: string;
}

/** Minor units per euro: the yen has none, the dinar has thousandths. */
const MINOR_UNITS_PER_EURO: Readonly<Record<string, number>> = {
	EUR: 100,
	USD: 108,
	GBP: 86,
	JPY: 163,
	KWD: 332,
};

/** Converts euro cents. */
export function convert(cents: number, currency: string): Money {
	return { amount: Math.round((cents * (MINOR_UNITS_PER_EURO[currency] ?? 100)) / 100), currency };
}

/** Currencies of a product's prices: most have euro, some others too. */
const PRICE_LISTS: ReadonlyArray<readonly string[]> = [
	['EUR'],
	['EUR'],
	['EUR', 'USD'],
	['EUR', 'USD', 'GBP'],
	['JPY'],
	['EUR', 'KWD'],
	['EUR'],
];

/** A product (Resources and their fields, Product). The time filters of lists use its two times. */
export type Product = RecordOf<typeof productSource>;

/** One, two or three variants in turn. */
export const variantCount = (n: number): number => (n % VARIANTS.length) + 1;

const SKU_FORM = /^[A-Z]{3}-(\d{6,8})-([1-3])$/;

/** The generated product and variant that a SKU would belong to. */
export function parseSku(sku: string): { product: number; variant: number } | undefined {
	const match = SKU_FORM.exec(sku);
	return match ? { product: Number(match[1]), variant: Number(match[2]) - 1 } : undefined;
}

/** SKU of a generated variant, e.g. `SHI-000017-2`. */
export function skuOf(seed: number, n: number, variant: number): string {
	const { code } = pick(THINGS, mix(seed, n, 1));
	return `${code}-${String(n).padStart(6, '0')}-${variant + 1}`;
}

/**
 * Generated products: about nine in ten are published; they have one to three variants, priced in one to three
 * currencies.
 *
 * @param categories how many categories there are, and their ids
 */
export function productSource(
	size: number,
	seed: number,
	ids: IdCodec,
	today: number,
	categories: { count: number; ids: IdCodec },
) {
	const categoriesOf = (n: number): string[] => {
		if (categories.count === 0) return [];
		const first = mix(seed, n, 4) % categories.count;
		const all = n % 4 === 0 ? [first, (first + 1) % categories.count] : [first];
		return [...new Set(all)].map((k) => categories.ids.encode(k));
	};
	return generated(size, today, (n, times) => {
		const thing = pick(THINGS, mix(seed, n, 1));
		const title = `${pick(STYLES, mix(seed, n, 2))} ${pick(MATERIALS, mix(seed, n, 3))} ${thing.name}`;
		const currencies = pick(PRICE_LISTS, mix(seed, n, 5));
		return {
			id: ids.encode(n),
			title,
			handle: `${title.toLowerCase().replaceAll(' ', '-')}-${n}`,
			status: mix(seed, n, 6) % 10 === 0 ? 'draft' : 'published',
			description: `${title}, made to last. Batch ${n}.`,
			variants: VARIANTS.slice(0, variantCount(n)).map((name, v) => ({
				sku: skuOf(seed, n, v),
				title: name,
				prices: currencies.map((currency) => convert(thing.cents + 250 * v, currency)),
			})),
			categories: categoriesOf(n),
			...times,
		};
	});
}
