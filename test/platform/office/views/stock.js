import { call } from '../control.js';
import { el } from '../dom.js';
import { listView } from '../listing.js';
import { say } from '../notices.js';
import { badge, button, row, time } from '../parts.js';

const LOW = 5;

function levelRow({ sku, location_id: location, quantity, updated_at: changed }) {
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
	return row(
		['td', el('code', sku)],
		['td', el('code', location)],
		['td.near', time(changed)],
		['td.end', quantity <= LOW ? badge(String(quantity), 'warn') : String(quantity)],
		['td.end.act', input, ' ', setButton],
	);
}

export const stock = listView({
	title: 'Stock',
	lead: 'A change here sends inventory.changed, as when the shop itself counts anew.',
	kind: 'inventory',
	caption: 'Stock levels',
	columns: [['SKU'], ['Location'], ['Changed'], ['In stock', 'end'], ['New quantity', 'end act']],
	keyOf: ({ sku, location_id: location }) => `${sku}@${location}`,
	row: levelRow,
	nothing: ['No stock levels here', 'Search for another SKU or location.'],
	searched: 'Search SKU or location',
});
