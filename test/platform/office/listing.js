import { call } from './control.js';
import { el, keyed } from './dom.js';
import { button, empty, showEither, table } from './parts.js';

const STEP = 25;

/**
 * A table of one kind of the shop's records: filtered, longer on demand, and kept up to date.
 *
 * @param {{ kind: string, caption: string, columns: object[], keyOf: (record: object) => string,
 *   render: (record: object) => Element, nothing: [title: string, text: string] }} of
 */
export function listing({ kind, caption, columns, keyOf, render, nothing }) {
	const { element, body } = table(caption, columns);
	const otherwise = empty(...nothing);
	const words = el('span', {});
	const filter = { kind, limit: STEP };
	const more = button('Show more', async () => {
		filter.limit += STEP;
		await refresh();
	});
	const refresh = async () => {
		const { records, hasMore, isPartial } = await call('list', filter);
		keyed(body, records, keyOf, render);
		showEither(element, otherwise, records.length === 0);
		words.textContent = isPartial
			? `${records.length} shown; only the first 20,000 records were searched`
			: `${records.length} shown`;
		more.hidden = !hasMore;
	};
	/** Lays another filter over the present one, and looks at once. */
	const narrow = async (change) => {
		Object.assign(filter, { limit: STEP }, change);
		await refresh();
	};
	return {
		elements: [element, otherwise, el('div.more', {}, words, more)],
		refresh,
		narrow,
	};
}
