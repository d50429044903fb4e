import { call } from '../control.js';
import { el, keyed } from '../dom.js';
import { plural } from '../format.js';
import { say } from '../notices.js';
import { attempt, badge, button, empty, head, search, select, showEither } from '../parts.js';

const SEEDS = 1_000_000;

async function open(place) {
	const points = await call('openPoints');
	const list = el('div.stack');
	const nothing = empty('No sentence holds these words', 'Search for something else.');
	const turned = el('p.soft', { role: 'status' });
	let words = '';
	const refresh = async () => {
		const spoken = await call('dialect');
		const shown = points
			.map((point) => ({ ...point, value: spoken[point.name] }))
			.filter((point) => JSON.stringify(point).toLowerCase().includes(words));
		keyed(list, shown, ({ name }) => name, card);
		showEither(list, nothing, shown.length === 0);
		turned.textContent = summary(points, spoken);
	};
	const speak = (label, dialect) =>
		button(label, async () => {
			await call('configure', { dialect: dialect() });
			await refresh();
		});
	place.append(
		head(
			'Dialect',
			'The document leaves sentences open. Each switch is one of them, each value a reading.',
			speak('Default', () => 'default'),
			speak('Contrary', () => 'contrary'),
			speak('Random', () => String(Math.floor(Math.random() * SEEDS))),
		),
		el(
			'div.tools',
			search('Search switches', (text) => {
				words = text.trim().toLowerCase();
				void attempt(refresh);
			}),
			turned,
		),
		list,
		nothing,
	);
	return refresh;
}

const defaultOf = ({ values }) => Object.keys(values)[0];

function summary(points, spoken) {
	const count = points.filter((point) => spoken[point.name] !== defaultOf(point)).length;
	return count === 0
		? `${points.length} switches, all at their default`
		: `${plural(count, 'switch', 'switches')} of ${points.length} turned`;
}

/** Text in which backticks stand around code. */
const withCode = (text) =>
	text.split('`').map((part, n) => (n % 2 === 1 ? el('code', part) : part));

function card(point) {
	const { name, sentence, values, value } = point;
	const isTurned = value !== defaultOf(point);
	return el(
		'section',
		{ class: isTurned ? 'card row turned' : 'card row' },
		el(
			'div',
			el('p.title', el('code', name), ' ', isTurned && badge('turned', 'info')),
			el('p', ...withCode(sentence)),
			el('small', el('b', value), ': ', ...withCode(values[value])),
		),
		select({
			label: name,
			choices: Object.keys(values).map((one) => [one, one]),
			value,
			act: name,
			change: async (next) => {
				await call('configure', { dialect: { [name]: next } });
				say(`${name} is ${next} now.`);
			},
		}),
	);
}

export const dialect = { title: 'Dialect', open };
