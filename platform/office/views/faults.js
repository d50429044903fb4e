import { call } from '../control.js';
import { el } from '../dom.js';
import { badge, button, card, head, select, toggle, verbatim } from '../parts.js';
import presets from '../presets.json' with { type: 'json' };

/**
 * Faults that can be switched on: name, effect, the rule as in faults/types.ts, and the share to begin with. Then: how often they come; settings
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
	const { dayBudget, paymentProviderLinked, inDevelopment } = settings;
	return [
		head(
			'Faults and limits',
			'Rehearse trouble, and watch how the nodes cope.',
			button('End all faults', async () => await call('setFaults', { faults: [] })),
		),
		el(
			'div.columns.stack',
			FAULTS.map(([name, text, preset, often]) =>
				faultCard(
					{ name, text, preset, often },
					rules.find((rule) => isSame(rule, preset)),
				),
			),
		),
		el('div.stack', foreign.length > 0 && foreignRules(foreign)),
		el('h2.section', 'Limits'),
		el(
			'div.columns.stack',
			CHOICES.map(([setting, label, choices]) => choiceCard(setting, label, choices, settings)),
			settingCard('Day spent', 'No request is left until midnight UTC.', dayBudget === 0, (isOn) => ({
				dayBudget: isOn ? 0 : null,
			})),
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

/** Unless the preset names its own share, a fault begins with one request in ten, or every delivery. */
const faultCard = ({ name, text, preset, often }, rule) =>
	card(
		rule !== undefined,
		toggle(name, text, rule !== undefined, async (isOn) => {
			const share = often ?? (preset.fault.endsWith('Delivery') ? 1 : 0.1);
			await change(preset, isOn ? share : null);
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
