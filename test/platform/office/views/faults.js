import { call } from '../control.js';
import { el, keyed } from '../dom.js';
import { badge, button, head, select, toggle, verbatim } from '../parts.js';
import { DEVELOPMENT, FAULTS, OFTEN, PLANS, RETRIES } from './faultTable.js';

const sameFault = (rule, preset) =>
	Object.keys({ ...rule, ...preset.rule })
		.filter((name) => name !== 'probability')
		.every((name) => rule[name] === preset.rule[name]);

const ruleOf = (rules, preset) => rules.find((rule) => sameFault(rule, preset));

/** The present rules with one of them put in, changed or taken out. */
async function change(preset, probability) {
	const others = (await call('faults')).filter((rule) => !sameFault(rule, preset));
	const rules = probability === null ? others : [...others, { ...preset.rule, probability }];
	await call('setFaults', { faults: rules });
}

async function open(place) {
	const presets = el('div.columns.stack');
	const settings = el('div.columns.stack');
	const others = el('div.stack');
	place.append(
		head(
			'Faults and limits',
			'Make the platform difficult, and see how the node copes.',
			button('End all faults', async () => await call('setFaults', { faults: [] })),
		),
		presets,
		others,
		el('h2.section', 'Limits'),
		settings,
	);
	return async () => {
		const [rules, { settings: present }] = await Promise.all([call('faults'), call('platform')]);
		const known = FAULTS.map((preset) => ({ preset, rule: ruleOf(rules, preset) ?? null }));
		keyed(presets, known, ({ preset }) => preset.id, faultCard);
		const foreign = rules.filter((rule) => !FAULTS.some((preset) => sameFault(rule, preset)));
		keyed(others, foreign.length > 0 ? [foreign] : [], () => 'foreign', foreignRules);
		keyed(settings, settingCards(present), ({ id }) => id, settingCard);
	};
}

const faultCard = ({ preset, rule }) =>
	el(
		'section',
		{ class: rule ? 'card row turned' : 'card row' },
		toggle({
			id: `fault-${preset.id}`,
			name: preset.name,
			text: preset.text,
			isOn: rule !== null,
			change: async (isOn) => await change(preset, isOn ? preset.often : null),
		}),
		rule &&
			select({
				label: `How often: ${preset.name}`,
				choices: OFTEN,
				value: String(rule.probability),
				change: async (value) => await change(preset, Number(value)),
				act: 'often',
			}),
	);

const foreignRules = (rules) =>
	el(
		'section.card',
		el('p.title', 'Set by a program ', badge(String(rules.length), 'warn')),
		verbatim('Rules', JSON.stringify(rules, null, 2)),
	);

const settingCards = ({
	plan,
	retryDelayFactor,
	latencyMs,
	paymentProviderLinked,
	inDevelopment,
}) => [
	{ id: 'plan', label: 'Plan', kind: 'choice', choices: PLANS, value: plan },
	{
		id: 'retryDelayFactor',
		label: 'Delivery retries',
		kind: 'choice',
		choices: RETRIES,
		value: String(retryDelayFactor),
	},
	{
		id: 'latencyMs',
		label: 'Every answer later',
		kind: 'choice',
		choices: ['0', '200', '1000', '5000'].map((ms) => [ms, `${ms} ms`]),
		value: String(latencyMs),
	},
	{
		id: 'paymentProviderLinked',
		label: 'Payment provider linked',
		text: 'Without one, refunds are refused.',
		value: paymentProviderLinked,
	},
	...DEVELOPMENT.map(([name, label]) => ({
		id: name,
		label: `${label} released`,
		text: 'In development in the document.',
		value: inDevelopment[name],
		isDevelopment: true,
	})),
];

const NUMBERS = ['retryDelayFactor', 'latencyMs'];

const settingCard = ({ id, label, kind, choices, value, text, isDevelopment }) =>
	el(
		'section.card',
		kind === 'choice'
			? select({
					label,
					choices: choices.some(([key]) => key === value) ? choices : [...choices, [value, value]],
					value,
					isLabelSeen: true,
					act: id,
					change: async (next) =>
						await call('configure', { [id]: NUMBERS.includes(id) ? Number(next) : next }),
				})
			: toggle({
					id: `setting-${id}`,
					name: label,
					text,
					isOn: value,
					change: async (isOn) =>
						await call(
							'configure',
							isDevelopment ? { inDevelopment: { [id]: isOn } } : { [id]: isOn },
						),
				}),
	);

export const faults = { title: 'Faults and limits', open };
