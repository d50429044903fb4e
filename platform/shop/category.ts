import { generated, type RecordOf } from './collection';
import { CATEGORY_NAMES } from './words';
import type { IdCodec } from './ids';

/** The API document does not show the fields of a category. */
export type Category = RecordOf<typeof categorySource>;

/** The first categories are named; the others are numbered ones below them. */
export const categorySource = (size: number, ids: IdCodec, today: number) =>
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
