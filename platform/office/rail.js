import { call } from './control.js';
import { el } from './dom.js';
import { number } from './format.js';
import { announce } from './notices.js';
import { answer, time } from './parts.js';

const SHOWN = 30;
const LOW = 0.25;

/** Beside every view: the budgets of the keys, and the latest requests and deliveries. */
export const rail = {
	load: async () => {
		const [budgets, deliveries, requests] = await Promise.all([
			call('budgets'),
			call('deliveries', { limit: SHOWN }),
			call('requests', { limit: SHOWN, maxBodyCharacters: 0 }),
		]);
		const entries = merged(deliveries, requests);
		tell(entries);
		return { budgets, entries };
	},
	draw: ({ budgets, entries }) => [
		el('section.card', el('h2', 'Budget'), el('div', budgets.map(keyBudget))),
		el(
			'section.card.live',
			el('h2', 'Live activity'),
			entries.length === 0 && el('p.soft', 'Nothing yet. Pay an order, or run a workflow in n8n.'),
			el(
				'ol.feed',
				{ role: 'log', 'aria-live': 'off', 'aria-label': 'Live activity' },
				entries.map(feedEntry),
			),
		),
	],
};

const keyBudget = ({ id, name, key, plan, minute, day }) =>
	el(
		'div',
		{ key: id },
		el('p.soft', el('b', name), ' · ', el('code', key), ` · ${plan}`),
		meter('This minute', minute),
		meter('This day', day),
	);

function meter(name, { limit, remaining }) {
	const share = limit === 0 ? 0 : remaining / limit;
	const bar = {
		class: remaining === 0 ? 'bar spent' : share < LOW ? 'bar low' : 'bar',
		role: 'meter',
		'aria-label': `Requests left ${name.toLowerCase()}`,
		'aria-valuemin': 0,
		'aria-valuemax': limit,
		'aria-valuenow': remaining,
	};
	return el(
		'div.meter',
		el('span', name),
		el('b', `${number(remaining)} of ${number(limit)} left`),
		el('div', bar, el('span', { style: { width: `${share * 100}%` } })),
	);
}

/** Attempts of deliveries, and requests, in one list, the newest first. */
function merged(deliveries, requests) {
	const out = deliveries.flatMap(({ id, event, attempts }) =>
		attempts.map((attempt, n) => ({ ...attempt, key: `${id} ${n}`, isOut: true, what: event })),
	);
	const seen = new Map();
	const into = requests.map(({ at, method, target, status }) => {
		const what = `${method} ${target.replace(/^\/v1/, '')}`;
		const nth = (seen.get(at + what) ?? 0) + 1;
		seen.set(at + what, nth);
		return { key: `${at} ${what} ${nth}`, at, what, status };
	});
	return [...out, ...into].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, SHOWN);
}

const feedEntry = ({ key, at, isOut, what, status, error }) =>
	el(
		isOut ? 'li.out' : 'li.in',
		{ key },
		el('span.arrow', { 'aria-hidden': 'true' }, isOut ? '→' : '←'),
		el('span.what', { title: what }, what),
		answer(status, error),
		time(at, isOut ? ' · delivery' : ' · request'),
	);

let announcedKeys;

/** Says new answers to deliveries to users who cannot see the list. Requests would be too many. */
function tell(entries) {
	const deliveries = entries.filter(({ isOut }) => isOut);
	const fresh = deliveries.filter(({ key }) => announcedKeys?.has(key) === false);
	announcedKeys = new Set(deliveries.map(({ key }) => key));
	for (const { what, status, error } of fresh) {
		announce(`Delivery of ${what} was answered: ${error ?? status}`);
	}
}
