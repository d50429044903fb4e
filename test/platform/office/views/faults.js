import { call } from '../control.js';
import { el } from '../dom.js';
import { badge, button, head, select, toggle, verbatim } from '../parts.js';
import { CHOICES, DEVELOPMENT, FAULTS, OFTEN } from './faultTable.js';

const sameFault = (rule, preset) =>
	Object.keys({ ...rule, ...preset.rule })
		.filter((name) => name !== 'probability')
		.every((name) => rule[name] === preset.rule[name]);

/** The present rules with one of them put in, changed or taken out. */
async function change(preset, probability) {
	const others = (await call('faults')).filter((rule) => !sameFault(rule, preset));
	const rules = probability === null ? others : [...others, { ...preset.rule, probability }];
	await call('setFaults', { faults: rules });
}

/** How often a fault comes when it is switched on: to requests one in ten, to deliveries always. */
const atFirst = ({ rule }) => (rule.fault.endsWith('Delivery') ? 1 : 0.1);

const load = async () => await Promise.all([call('faults'), call('platform')]);

function draw([rules, { settings }]) {
	const foreign = rules.filter((rule) => !FAULTS.some((preset) => sameFault(rule, preset)));
	return [
		head(
			'Faults and limits',
			'Make the platform difficult, and see how the node copes.',
			button('End all faults', async () => await call('setFaults', { faults: [] })),
		),
		el(
			'div.columns.stack',
			FAULTS.map((preset) =>
				faultCard(
					preset,
					rules.find((rule) => sameFault(rule, preset)),
				),
			),
		),
		el('div.stack', foreign.length > 0 && foreignRules(foreign)),
		el('h2.section', 'Limits'),
		el(
			'div.columns.stack',
			CHOICES.map((choice) => choiceCard(choice, settings[choice.id])),
			settingCard({
				id: 'paymentProviderLinked',
				name: 'Payment provider linked',
				text: 'Without one, refunds are refused.',
				isOn: settings.paymentProviderLinked,
				change: async (isOn) => await call('configure', { paymentProviderLinked: isOn }),
			}),
			DEVELOPMENT.map(([id, label]) =>
				settingCard({
					id,
					name: `${label} released`,
					text: 'In development in the document.',
					isOn: settings.inDevelopment[id],
					change: async (isOn) => await call('configure', { inDevelopment: { [id]: isOn } }),
				}),
			),
		),
	];
}

const faultCard = (preset, rule) =>
	el(
		'section',
		{ class: rule ? 'card row turned' : 'card row' },
		toggle({
			id: `fault-${preset.id}`,
			name: preset.name,
			text: preset.text,
			isOn: rule !== undefined,
			change: async (isOn) => await change(preset, isOn ? atFirst(preset) : null),
		}),
		rule &&
			select({
				label: `How often: ${preset.name}`,
				choices: OFTEN,
				value: rule.probability,
				change: async (value) => await change(preset, Number(value)),
			}),
	);

const foreignRules = (rules) =>
	el(
		'section.card',
		el('p.title', 'Set by a program ', badge(rules.length, 'warn')),
		verbatim('Rules', JSON.stringify(rules, null, 2)),
	);

/** Another value than those to choose from was set by a program. */
const choiceCard = ({ id, label, choices, read }, value) =>
	el(
		'section.card',
		select({
			label,
			choices: choices.some(([key]) => key === value) ? choices : [...choices, [value, value]],
			value,
			isLabelSeen: true,
			change: async (next) => await call('configure', { [id]: read(next) }),
		}),
	);

const settingCard = ({ id, ...setting }) =>
	el('section.card', toggle({ id: `setting-${id}`, ...setting }));

export const faults = { title: 'Faults and limits', open: () => ({ load, draw }) };
