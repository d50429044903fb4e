import { call } from '../control.js';
import { el } from '../dom.js';
import { badge, button, card, head, select, toggle, verbatim } from '../parts.js';
import presets from '../presets.json' with { type: 'json' };

/**
 * Faults that can be switched on: name, effect, and the rule as in faults/types.ts. Then: how often they come; settings
 * with a few values; what the API document marks “in development”.
 */
const { faults: FAULTS, often: OFTEN, choices: CHOICES, development: DEVELOPMENT } = presets;

const isSame = (rule, preset) =>
	Object.keys({ ...rule, ...preset })
		.filter((name) => name !== 'probability')
		.every((name) => rule[name] === preset[name]);

/** Adds, changes or removes one rule and keeps the others. */
async function change(preset, probability) {
	const otherRules = (await call('faults')).filter((rule) => !isSame(rule, preset));
	const rules = probability === null ? otherRules : [...otherRules, { ...preset, probability }];
	await call('setFaults', { faults: rules });
}

const configure = async (settings) => await call('configure', settings);

const draw = ([rules, { settings }]) => {
	const foreign = rules.filter((rule) => !FAULTS.some(([, , preset]) => isSame(rule, preset)));
	const { paymentProviderLinked, inDevelopment } = settings;
	return [
		head(
			'Faults and limits',
			'Make the platform difficult, and see how the node copes.',
			button('End all faults', async () => await call('setFaults', { faults: [] })),
		),
		el(
			'div.columns.stack',
			FAULTS.map(([name, text, preset]) =>
				faultCard(
					{ name, text, preset },
					rules.find((rule) => isSame(rule, preset)),
				),
			),
		),
		el('div.stack', foreign.length > 0 && foreignRules(foreign)),
		el('h2.section', 'Limits'),
		el(
			'div.columns.stack',
			CHOICES.map(([setting, label, choices]) => choiceCard(setting, label, choices, settings)),
			settingCard(
				'Payment provider linked',
				'Without one, refunds are refused.',
				paymentProviderLinked,
				(isOn) => ({ paymentProviderLinked: isOn }),
			),
			DEVELOPMENT.map(([name, label]) =>
				settingCard(
					`${label} released`,
					'In development in the document.',
					inDevelopment[name],
					(isOn) => ({ inDevelopment: { [name]: isOn } }),
				),
			),
		),
	];
};

/** A fault that is switched on comes to one request in ten at first, or to every delivery. */
const faultCard = ({ name, text, preset }, rule) =>
	card(
		rule !== undefined,
		toggle(name, text, rule !== undefined, async (isOn) => {
			const often = preset.fault.endsWith('Delivery') ? 1 : 0.1;
			await change(preset, isOn ? often : null);
		}),
		rule &&
			select(`How often: ${name}`, OFTEN, rule.probability, async (value) => {
				await change(preset, Number(value));
			}),
	);

const foreignRules = (rules) =>
	el(
		'section.card',
		el('p.title', 'Set by a program ', badge(rules.length, 'warn')),
		verbatim('Rules', JSON.stringify(rules, null, 2)),
	);

/** A program may have set a value that is not among the choices; it is shown too. */
function choiceCard(setting, label, choices, { [setting]: value }) {
	const offered = choices.some(([key]) => key === value) ? choices : [...choices, [value, value]];
	const choose = async (next) =>
		await configure({ [setting]: typeof value === 'number' ? Number(next) : next });
	return el(
		'section.card',
		el('label.field', el('span', label), select(label, offered, value, choose)),
	);
}

const settingCard = (name, text, isOn, changed) =>
	el(
		'section.card',
		toggle(name, text, isOn, async (next) => await configure(changed(next))),
	);

const load = async () => await Promise.all([call('faults'), call('platform')]);

export const faults = { title: 'Faults and limits', open: () => ({ load, draw }) };
