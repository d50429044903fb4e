import { idCodec } from './ids';
import { iso, timeline } from './clock';
import { convert, PRICE_LISTS, type Money } from './money';
import { mix, pick } from './random';
import { MATERIALS, STYLES, THINGS, VARIANTS } from './words';
import type { Source } from './collection';

export interface Variant {
	sku: string;
	title: string;
	prices: Money[];
	[field: string]: unknown;
}

/** Resources and their fields, Product; the two times are what the filters go by. */
export interface Product {
	id: string;
	title: string;
	handle: string;
	status: string;
	description: string;
	variants: Variant[];
	categories: string[];
	created_at: string;
	updated_at: string;
	[field: string]: unknown;
}

export const productIds = (seed: number) => idCodec('prod_', seed);

/** Product n has one, two or three variants in turn. */
export const variantCount = (n: number): number => (n % VARIANTS.length) + 1;

const SKU_FORM = /^[A-Z]{3}-(\d{6,8})-([1-3])$/;

/** Which generated product and variant a SKU would belong to. */
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
 * Generated products: about nine in ten published, with one to three variants, priced in one to
 * three currencies.
 *
 * @param categoryId the id of category k, and how many there are.
 */
export function productSource(
	size: number,
	seed: number,
	today: number,
	categories: { count: number; id(k: number): string },
): Source<Product> {
	const ids = productIds(seed);
	const times = timeline(size, today);
	const categoriesOf = (n: number): string[] => {
		if (categories.count === 0) return [];
		const first = mix(seed, n, 4) % categories.count;
		const second = (first + 1) % categories.count;
		return n % 4 === 0 && second !== first
			? [categories.id(first), categories.id(second)]
			: [categories.id(first)];
	};
	return {
		size,
		count: size,
		...times,
		generate(n) {
			const thing = pick(THINGS, mix(seed, n, 1));
			const title = `${pick(STYLES, mix(seed, n, 2))} ${pick(MATERIALS, mix(seed, n, 3))} ${thing.name}`;
			const currencies = pick(PRICE_LISTS, mix(seed, n, 5));
			const variants: Variant[] = [];
			for (let v = 0; v < variantCount(n); v++) {
				variants.push({
					sku: skuOf(seed, n, v),
					title: VARIANTS[v],
					prices: currencies.map((currency) => convert(thing.cents + 250 * v, currency)),
				});
			}
			return {
				id: ids.encode(n),
				title,
				handle: `${title.toLowerCase().replaceAll(' ', '-')}-${n}`,
				status: mix(seed, n, 6) % 10 === 0 ? 'draft' : 'published',
				description: `${title}, made to last. Batch ${n}.`,
				variants,
				categories: categoriesOf(n),
				created_at: iso(times.createdAt(n)),
				updated_at: iso(times.updatedAt(n)),
			};
		},
	};
}
