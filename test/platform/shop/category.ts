import { idCodec } from './ids';
import { iso, timeline } from './clock';
import { requireWritable } from './refusal';
import { CATEGORY_NAMES } from './words';
import type { Source } from './collection';
import type { Shop } from './shop';

/** Category record fields: not shown. */
export interface Category {
	id: string;
	name: string;
	handle: string;
	parent_id: string | null;
	created_at: string;
	updated_at: string;
	[field: string]: unknown;
}

export const categoryIds = (seed: number) => idCodec('cat_', seed);

/** A dozen named categories; beyond that, numbered ones below them. */
export function categorySource(size: number, seed: number, today: number): Source<Category> {
	const ids = categoryIds(seed);
	const times = timeline(size, today);
	return {
		size,
		count: size,
		...times,
		generate(n) {
			const root = n % CATEGORY_NAMES.length;
			const isRoot = n < CATEGORY_NAMES.length;
			const name = isRoot ? CATEGORY_NAMES[root] : `${CATEGORY_NAMES[root]} ${n}`;
			return {
				id: ids.encode(n),
				name,
				handle: name.toLowerCase().replaceAll(' ', '-'),
				parent_id: isRoot ? null : ids.encode(root),
				created_at: iso(times.createdAt(n)),
				updated_at: iso(times.updatedAt(n)),
			};
		},
	};
}

/** @throws Refusal INVALID_PARAMETER. */
export function createCategory(shop: Shop, fields: Partial<Category>): Category {
	requireWritable(fields);
	return shop.categories.add((index, at) => ({
		name: '',
		handle: `category-${index}`,
		parent_id: null,
		...fields,
		id: shop.ids.categories.encode(index),
		created_at: iso(at),
		updated_at: iso(at),
	}));
}
