import { call } from '../control.js';
import { el } from '../dom.js';
import { listView } from '../listing.js';
import { say } from '../notices.js';
import { badge, button, row, time } from '../parts.js';

const LOW = 5;

function levelRow({ sku, location_id: location, quantity, updated_at: changed }) {
	const levelName = `${sku} at ${location}`;
	const set = async ({ previousElementSibling: input }) => {
		if (input.value === '' || !input.checkValidity()) {
			throw new Error('The quantity must be a whole number from 0.');
		}
		await call('setStock', { sku, location_id: location, quantity: Number(input.value) });
		say(`${levelName}: ${input.value} in stock.`);
	};
	const input = el('input.number', {
		type: 'number',
		min: 0,
		step: 1,
		// The user's text stays while the list is updated.
		defaultValue: quantity,
		'aria-label': `New quantity of ${levelName}`,
		onkeydown: ({ key, currentTarget }) =>
			key === 'Enter' && currentTarget.nextElementSibling.click(),
	});
	return row(
		`${sku}@${location}`,
		['td', el('code', sku)],
		['td', el('code', location)],
		['td.near', time(changed)],
		['td.end', quantity <= LOW ? badge(quantity, 'warn') : quantity],
		['td.end.act', input, ' ', button('Set', set, { name: `Set the quantity of ${levelName}` })],
	);
}

export const stock = listView({
	title: 'Stock',
	lead: 'A change here sends inventory.changed, as when the shop itself counts anew.',
	kind: 'inventory',
	caption: 'Stock levels',
	columns: [['SKU'], ['Location'], ['Changed'], ['In stock', 'end'], ['New quantity', 'end act']],
	row: levelRow,
	nothing: ['No stock levels here', 'Search for another SKU or location.'],
	searched: 'Search SKU or location',
});
