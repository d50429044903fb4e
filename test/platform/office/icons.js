import { el } from './dom.js';

const PATHS = {
	orders:
		'M5 7h14l-1.300 11.500a2 2 0 0 1-2 1.500H8.300a2 2 0 0 1-2-1.500zM8.500 7V6a3.500 3.500 0 0 1 7 0v1',
	products: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
	stock: 'M4 20V9l8-5 8 5v11M8 20v-7h8v7M8 16.500h8',
	deliveries: 'M4 12h12M11 6l6 6-6 6M20 5v14',
	requests: 'M4 6h16M4 12h16M4 18h10',
	faults: 'M12 4l9 16H3zM12 10v4.500M12 17.500v.100',
	dialect: 'M4 5h16v11H11l-4 4v-4H4z',
};

/** The picture of a view; it says nothing that its name does not. */
export const icon = (name) =>
	el(
		'svg',
		{ viewBox: '0 0 24 24', fill: 'none', 'aria-hidden': 'true' },
		el('path', {
			d: PATHS[name],
			stroke: 'currentColor',
			'stroke-width': '1.800',
			'stroke-linecap': 'round',
			'stroke-linejoin': 'round',
		}),
	);
