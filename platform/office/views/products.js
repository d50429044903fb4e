import { el } from '../dom.js';
import { money } from '../format.js';
import { listView } from '../listing.js';
import { row, state, time } from '../parts.js';

const variant = ({ sku, title, prices = [] }) =>
	el(
		'div',
		el('code', sku),
		title ? ` ${title} · ` : ' ',
		prices.map(money).join(' · ') || 'no price',
	);

export const products = listView({
	title: 'Products',
	lead: 'What n8n writes here shows within a second.',
	kind: 'products',
	caption: 'Products, the newest first',
	columns: [['Product'], ['Variants and prices'], ['State'], ['Changed']],
	row: ({ id, title, variants = [], status, updated_at: changed }) =>
		row(
			id,
			['td', el('span.title', title), el('small.mono', id)],
			['td', ...variants.map(variant)],
			['td', state(status)],
			['td.near', time(changed)],
		),
	nothing: ['No products here', 'Search for something else, or let n8n create one.'],
	searched: 'Search products',
});
