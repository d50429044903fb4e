import { el } from './dom.js';
import { problem } from './notices.js';
import { startRail } from './rail.js';
import { startTheme } from './theme.js';
import { showFacts } from './facts.js';
import { deliveries } from './views/deliveries.js';
import { dialect } from './views/dialect.js';
import { faults } from './views/faults.js';
import { orders } from './views/orders.js';
import { products } from './views/products.js';
import { requests } from './views/requests.js';
import { stock } from './views/stock.js';
import { icon } from './icons.js';

/**
 * Each view by the part of the address behind #: its title, and a function that fills the page and
 * gives what brings it up to date.
 */
const VIEWS = { orders, products, stock, deliveries, requests, faults, dialect };
const STEP_MS = 1_000;

const content = document.getElementById('content');
const navigation = document.getElementById('nav');
let refresh = async () => {};

const chosen = () => {
	const name = location.hash.slice(1);
	return Object.hasOwn(VIEWS, name) ? name : 'orders';
};

function showNavigation(name) {
	const links = Object.entries(VIEWS).map(([key, { title }]) =>
		el(
			'li',
			el('a', { href: `#${key}`, 'aria-current': key === name ? 'page' : null }, icon(key), title),
		),
	);
	navigation.replaceChildren(el('ul', ...links));
}

async function open({ isFirst = false } = {}) {
	const name = chosen();
	const view = VIEWS[name];
	document.title = `${view.title} · Commerce Platform (local)`;
	showNavigation(name);
	content.setAttribute('aria-busy', 'true');
	content.replaceChildren();
	refresh = await settled(view.open(content), async () => {});
	if (!isFirst) content.querySelector('h1')?.focus();
	await step();
	if (name === chosen()) content.setAttribute('aria-busy', 'false');
}

/** What a view gives, or something else where it fails; the failure is shown. */
async function settled(promise, otherwise) {
	try {
		const result = await promise;
		problem(null);
		return result;
	} catch (error) {
		problem(error.message);
		return otherwise;
	}
}

const refreshRail = startRail(document.getElementById('rail'));

async function step() {
	await settled(
		Promise.all([refresh(), refreshRail(), showFacts(document.getElementById('facts'))]),
	);
}

/** One look a second while somebody can see it. */
async function watch() {
	if (!document.hidden) await step();
	setTimeout(() => void watch(), STEP_MS);
}

startTheme(document.getElementById('theme'));
addEventListener('hashchange', (event) => {
	// The skip link leads into the page, to no other view.
	if (!event.newURL.endsWith('#content')) void open();
});
document.querySelector('.skip').addEventListener('click', (event) => {
	event.preventDefault();
	content.focus();
});
await open({ isFirst: true });
void watch();
