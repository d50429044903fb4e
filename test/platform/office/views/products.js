import { el } from '../dom.js';
import { money, when } from '../format.js';
import { listing } from '../listing.js';
import { attempt, badge, head, search } from '../parts.js';
import { stateTone } from '../tones.js';

async function open(place) {
	const list = listing({
		kind: 'products',
		caption: 'Products, the newest first',
		columns: [
			{ name: 'Product' },
			{ name: 'Variants and prices' },
			{ name: 'State' },
			{ name: 'Changed' },
		],
		keyOf: ({ id }) => id,
		render: row,
		nothing: ['No products here', 'Search for something else, or let n8n create one.'],
	});
	place.append(
		head('Products', 'What n8n writes here shows within a second.'),
		el(
			'div.tools',
			{},
			search('Search products', (q) => attempt(async () => await list.narrow({ q }))),
		),
		...list.elements,
	);
	return list.refresh;
}

const row = ({ id, title, variants = [], status, updated_at: changed }) =>
	el(
		'tr',
		{},
		el('td', {}, el('span.title', {}, title), el('small.mono', {}, id)),
		el('td', {}, ...variants.map(variant)),
		el('td', {}, badge(status ?? '–', stateTone(status))),
		el('td.near', {}, el('time', { datetime: changed }, when(changed))),
	);

const variant = ({ sku, title, prices = [] }) =>
	el(
		'div',
		{},
		el('code', {}, sku),
		title ? ` ${title} · ` : ' ',
		prices.map(money).join(' · ') || 'no price',
	);

export const products = { title: 'Products', open };
