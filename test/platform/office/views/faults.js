import { call } from '../control.js';
import { el } from '../dom.js';
import { badge, button, card, head, select, toggle, verbatim } from '../parts.js';

/** Faults that can be switched on: name, what comes of it, and the rule as in faults/types.ts. */
const FAULTS = [
	[
		'Too many requests',
		'429 with Retry-After, whatever the budget says.',
		{ fault: 'status', status: 429 },
	],
	['Unavailable', '503 with an error body.', { fault: 'status', status: 503 }],
	['Slow answers', 'The usual answer, three seconds later.', { fault: 'slow', ms: 3_000 }],
	[
		'Broken connections',
		'The connection ends before the request is looked at.',
		{ fault: 'reset' },
	],
	[
		'Lost answers',
		'The write is applied, then the connection ends.',
		{ fault: 'lostAnswer', method: 'PATCH' },
	],
	['A page instead of JSON', '502 with HTML, as a proxy sends it.', { fault: 'html', status: 502 }],
	[
		'Deliveries come twice',
		'The receiver gets the same delivery again.',
		{ fault: 'duplicateDelivery' },
	],
	[
		'Deliveries overtake each other',
		'Held back by up to a second.',
		{ fault: 'reorderDelivery', ms: 1_000 },
	],
];

const OFTEN = [
	[0.1, '1 in 10'],
	[0.5, '1 in 2'],
	[1, 'always'],
];

/** Plans of the document's table, with their requests a minute. */
const PLANS = [
	['starter', 'Starter: 100 a minute'],
	['business', 'Business: 300 a minute'],
	['platform', 'Platform: 600 a minute'],
	['enterprise', 'Enterprise: 1,200 a minute'],
];

const RETRIES = [
	[1, '1 min, 5 min, 30 min, 2 h, 24 h'],
	[0.1, 'ten times as fast'],
	[0.01, 'a hundred times as fast'],
];

const LATENCIES = [0, 200, 1_000, 5_000].map((ms) => [ms, `${ms} ms`]);

/** Settings with a few values: setting, label, values. */
const CHOICES = [
	['plan', 'Plan', PLANS],
	['retryDelayFactor', 'Delivery retries', RETRIES],
	['latencyMs', 'Every answer later', LATENCIES],
];

/** What the document marks “in development”. */
const DEVELOPMENT = [
	['batch', 'Product batches'],
	['webhookUpdate', 'Updating webhooks'],
	['rotateSecret', 'Rotating secrets'],
	['webhookTest', 'Test deliveries'],
];

const isSame = (rule, preset) =>
	Object.keys({ ...rule, ...preset })
		.filter((name) => name !== 'probability')
		.every((name) => rule[name] === preset[name]);

/** The present rules with one of them put in, changed or taken out. */
async function change(preset, probability) {
	const others = (await call('faults')).filter((rule) => !isSame(rule, preset));
	const rules = probability === null ? others : [...others, { ...preset, probability }];
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

/** Where it is switched on, a fault comes to one request in ten at first, and to every delivery. */
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

/** Another value than those to choose from was set by a program. */
function choiceCard(setting, label, choices, { [setting]: value }) {
	const all = choices.some(([key]) => key === value) ? choices : [...choices, [value, value]];
	const choose = async (next) =>
		await configure({ [setting]: typeof value === 'number' ? Number(next) : next });
	return el(
		'section.card',
		el('label.field', el('span', label), select(label, all, value, choose)),
	);
}

const settingCard = (name, text, isOn, changed) =>
	el(
		'section.card',
		toggle(name, text, isOn, async (next) => await configure(changed(next))),
	);

const load = async () => await Promise.all([call('faults'), call('platform')]);

export const faults = { title: 'Faults and limits', open: () => ({ load, draw }) };
