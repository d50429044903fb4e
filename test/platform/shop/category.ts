import { generated, type Source } from './collection';
import { requireWritable } from './refusal';
import { CATEGORY_NAMES } from './words';
import type { IdCodec } from './ids';
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

/** A dozen named categories; beyond that, numbered ones below them. */
export const categorySource = (size: number, ids: IdCodec, today: number): Source<Category> =>
	generated(size, today, (n, times) => {
		const root = n % CATEGORY_NAMES.length;
		const isRoot = n < CATEGORY_NAMES.length;
		const name = isRoot ? CATEGORY_NAMES[root] : `${CATEGORY_NAMES[root]} ${n}`;
		return {
			id: ids.encode(n),
			name,
			handle: name.toLowerCase().replaceAll(' ', '-'),
			parent_id: isRoot ? null : ids.encode(root),
			...times,
		};
	});

/** @throws Refusal INVALID_PARAMETER. */
export function createCategory(shop: Shop, fields: Partial<Category>): Category {
	requireWritable(fields);
	return shop.categories.add((index, at) => ({
		name: '',
		handle: `category-${index}`,
		parent_id: null,
		...fields,
		...shop.stamp('categories', index, at),
	}));
}
