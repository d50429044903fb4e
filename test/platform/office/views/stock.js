import { call } from '../control.js';
import { el } from '../dom.js';
import { when } from '../format.js';
import { listing } from '../listing.js';
import { say } from '../notices.js';
import { attempt, badge, button, head, search } from '../parts.js';

const LOW = 5;

async function open(place) {
	const list = listing({
		kind: 'inventory',
		caption: 'Stock levels',
		columns: [
			{ name: 'SKU' },
			{ name: 'Location' },
			{ name: 'Changed' },
			{ name: 'In stock', kind: 'end' },
			{ name: 'New quantity', kind: 'end act' },
		],
		keyOf: ({ sku, location_id: location }) => `${sku}@${location}`,
		render: row,
		nothing: ['No stock levels here', 'Search for another SKU or location.'],
	});
	place.append(
		head('Stock', 'A change here sends inventory.changed, as when the shop itself counts anew.'),
		el(
			'div.tools',
			{},
			search('Search SKU or location', (q) => attempt(async () => await list.narrow({ q }))),
		),
		...list.elements,
	);
	return list.refresh;
}

function row({ sku, location_id: location, quantity, updated_at: changed }) {
	const of = `${sku} at ${location}`;
	const input = el('input.number', {
		type: 'number',
		min: 0,
		step: 1,
		value: quantity,
		'aria-label': `New quantity of ${of}`,
		'data-act': 'quantity',
	});
	const set = async () => {
		if (input.value === '' || !input.checkValidity()) {
			throw new Error('The quantity must be a whole number from 0.');
		}
		await call('setStock', { sku, location_id: location, quantity: Number(input.value) });
		say(`${of}: ${input.value} in stock.`);
	};
	const setButton = button('Set', set, { act: 'set', name: `Set the quantity of ${of}` });
	input.addEventListener('keydown', ({ key }) => key === 'Enter' && setButton.click());
	return el(
		'tr',
		{},
		el('td', {}, el('code', {}, sku)),
		el('td', {}, el('code', {}, location)),
		el('td.near', {}, el('time', { datetime: changed }, when(changed))),
		el('td.end', {}, quantity <= LOW ? badge(String(quantity), 'warn') : String(quantity)),
		el('td.end.act', {}, input, ' ', setButton),
	);
}

export const stock = { title: 'Stock', open };
