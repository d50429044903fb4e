import { call } from './control.js';
import { el } from './dom.js';
import { button, head, search, segments, table } from './parts.js';

const STEP = 25;

/**
 * A view of one kind of the shop's records: a table that is filtered, longer on demand, and kept up to date.
 *
 * @param {{ title: string, lead: string, kind: string, caption: string, columns: Array<[name: string, kind?: string]>,
 *   row: (record: object) => object, nothing: [title: string, text: string], searched: string,
 *   states?: Array<[value: string, label: string]>, action?: object }} of
 */
export const listView = ({ title, lead, kind, caption, columns, row, ...options }) => ({
	title,
	open: () => {
		const { nothing, searched, states, action } = options;
		const filter = { kind, limit: STEP, status: undefined, q: undefined };
		/** Changes the filter and shows the first records again. */
		const narrow = (change) => Object.assign(filter, { limit: STEP }, change);
		const choose = (status) => narrow({ status: status || undefined });
		return {
			load: async () => await call('list', filter),
			draw: ({ records, hasMore, isPartial }) => [
				head(title, lead, action),
				el(
					'div.tools',
					states && segments('State', states, filter.status ?? '', choose),
					search(searched, (q) => narrow({ q })),
				),
				table(caption, columns, records.map(row), nothing),
				el(
					'div.more',
					el(
						'span',
						`${records.length} shown`,
						isPartial && '; only the first 20,000 records were searched',
					),
					hasMore && button('Show more', async () => (filter.limit += STEP)),
				),
			],
		};
	},
});
