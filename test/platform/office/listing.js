import { call } from './control.js';
import { el, keyed } from './dom.js';
import { attempt, button, empty, head, search, segments, showEither, table } from './parts.js';

const STEP = 25;

/**
 * A view of one kind of the shop's records: a table that is filtered, longer on demand, and kept up to date.
 *
 * @param {{ title: string, lead: string, kind: string, caption: string, columns: Array<[name: string, kind?: string]>,
 *   keyOf: (record: object) => string, row: (record: object) => Element, nothing: [title: string, text: string],
 *   searched: string, states?: Array<[value: string, label: string]>,
 *   action?: (refresh: () => Promise<void>) => Element }} of
 */
export function listView({ title, lead, kind, caption, columns, keyOf, row, ...more }) {
	const { nothing, searched, states, action } = more;
	const open = async (place) => {
		const { element, body } = table(caption, columns);
		const otherwise = empty(...nothing);
		const words = el('span');
		const filter = { kind, limit: STEP };
		const refresh = async () => {
			const { records, hasMore, isPartial } = await call('list', filter);
			keyed(body, records, keyOf, row);
			showEither(element, otherwise, records.length === 0);
			words.textContent = isPartial
				? `${records.length} shown; only the first 20,000 records were searched`
				: `${records.length} shown`;
			further.hidden = !hasMore;
		};
		/** Lays another filter over the present one, and looks at once. */
		const narrow = async (change) => {
			Object.assign(filter, { limit: STEP }, change);
			await refresh();
		};
		const further = button('Show more', async () => await narrow({ limit: filter.limit + STEP }));
		const chooseState = (status) =>
			attempt(async () => await narrow({ status: status || undefined }));
		place.append(
			head(title, lead, action?.(refresh)),
			el(
				'div.tools',
				states && segments('State', states, chooseState),
				search(searched, (q) => attempt(async () => await narrow({ q }))),
			),
			element,
			otherwise,
			el('div.more', words, further),
		);
		return refresh;
	};
	return { title, open };
}
