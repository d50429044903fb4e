import { call } from './control.js';
import { el } from './dom.js';
import { problem } from './notices.js';
import { Fragment, h, render } from './preact.js';
import { rail } from './rail.js';
import { startTheme } from './theme.js';
import { deliveries } from './views/deliveries.js';
import { dialect } from './views/dialect.js';
import { faults } from './views/faults.js';
import { orders } from './views/orders.js';
import { products } from './views/products.js';
import { requests } from './views/requests.js';
import { stock } from './views/stock.js';

/**
 * Each view, by the part of the address after #: its title, and how it is opened. An open view loads its data and draws
 * it.
 */
const VIEWS = { orders, products, stock, deliveries, requests, faults, dialect };
const STEP_MS = 1_000;

const content = document.getElementById('content');
const into = (id, ...parts) => render(h(Fragment, null, ...parts), document.getElementById(id));

/** The name of the open view, and the open view. */
let open = [];
let looks = 0;

/** Loads the open view's data and draws it, unless a later look has begun meanwhile. */
async function look() {
	const nth = ++looks;
	const [name, view] = open;
	try {
		const loading = [view.load(), rail.load(), call('platform')];
		const [seen, beside, platform] = await Promise.all(loading);
		problem('');
		if (nth !== looks) return;
		keepFocus(() => into('content', h(Fragment, { key: name }, ...view.draw(seen))));
		into('rail', ...rail.draw(beside));
		into('facts', facts(platform));
		content.setAttribute('aria-busy', 'false');
	} catch (error) {
		problem(error.message);
	}
}

/** If the focused element is gone after drawing, its row gets the focus. */
function keepFocus(draw) {
	const focused = document.activeElement;
	const focusedRow = focused.closest('tr, section');
	draw();
	if (focused.isConnected || !focusedRow?.isConnected) return;
	focusedRow.tabIndex = -1;
	focusedRow.focus({ preventScroll: true });
}

/** The API's address and its plan. Only the terminal shows the whole key. */
const facts = ({ baseUrl, settings }) =>
	el(
		'dl',
		el('div', el('dt', 'API address'), el('dd', baseUrl)),
		el('div', el('dt', 'Plan'), el('dd', settings.plan)),
	);

function link([name, { title }]) {
	const current = name === open[0] ? 'page' : null;
	const icon = el(
		'svg',
		{ 'aria-hidden': 'true' },
		el('use', { href: `/office/icons.svg#${name}` }),
	);
	return el('li', el('a', { href: `#${name}`, 'aria-current': current }, icon, title));
}

async function openView() {
	const chosen = location.hash.slice(1);
	const name = Object.hasOwn(VIEWS, chosen) ? chosen : 'orders';
	open = [name, VIEWS[name].open()];
	document.title = `${VIEWS[name].title} · Commerce Platform (local)`;
	into('nav', el('ul', ...Object.entries(VIEWS).map(link)));
	content.setAttribute('aria-busy', 'true');
	await look();
}

/** Looks once a second while the page is visible. */
async function watch() {
	if (!document.hidden) await look();
	setTimeout(() => void watch(), STEP_MS);
}

startTheme(document.getElementById('theme'));
addEventListener('look', () => void look());
addEventListener('hashchange', async ({ newURL }) => {
	// The skip link moves within the page and opens no view.
	if (newURL.endsWith('#content')) return;
	await openView();
	content.querySelector('h1')?.focus();
});
document.querySelector('.skip').addEventListener('click', (event) => {
	event.preventDefault();
	content.focus();
});
await openView();
void watch();
