import { call } from '../control.js';
import { el } from '../dom.js';
import { plural } from '../format.js';
import { say } from '../notices.js';
import { badge, button, card, empty, head, search, select } from '../parts.js';

const SEEDS = 1_000_000;

function open() {
	let points;
	let words = '';
	return {
		load: async () => {
			points ??= await call('openPoints');
			const spoken = await call('dialect');
			return points.map((point) => {
				const value = spoken[point.name];
				return { ...point, value, isTurned: value !== Object.keys(point.values)[0] };
			});
		},
		draw: (states) => {
			const shown = states.filter((point) => JSON.stringify(point).toLowerCase().includes(words));
			return [
				head(
					'Dialect',
					'The document leaves sentences open. Each switch is one of them, each value a reading.',
					speak('Default', () => 'default'),
					speak('Contrary', () => 'contrary'),
					speak('Random', () => String(Math.floor(Math.random() * SEEDS))),
				),
				el(
					'div.tools',
					search('Search switches', (text) => (words = text.trim().toLowerCase())),
					el('p.soft', { role: 'status' }, summary(states)),
				),
				shown.length > 0
					? el('div.stack', shown.map(pointCard))
					: empty('No switches match', 'Search for something else.'),
			];
		},
	};
}

const speak = (label, dialect) =>
	button(label, async () => await call('configure', { dialect: dialect() }));

function summary(points) {
	const count = points.filter(({ isTurned }) => isTurned).length;
	return count === 0
		? `${points.length} switches, all at their default`
		: `${plural(count, 'switch', 'switches')} of ${points.length} turned`;
}

/** Shows the parts between backticks as code. */
const withCode = (text) =>
	text.split('`').map((part, n) => (n % 2 === 1 ? el('code', part) : part));

function pointCard({ name, sentence, values, value, isTurned }) {
	const choices = Object.keys(values).map((choice) => [choice, choice]);
	const choose = async (next) => {
		await call('configure', { dialect: { [name]: next } });
		say(`${name} is ${next} now.`);
	};
	return card(
		isTurned,
		el(
			'div',
			el('p.title', el('code', name), ' ', isTurned && badge('turned', 'info')),
			el('p', ...withCode(sentence)),
			el('small', el('b', value), ': ', ...withCode(values[value])),
		),
		select(name, choices, value, choose),
	);
}

export const dialect = { title: 'Dialect', open };
