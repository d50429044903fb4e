import { call } from '../control.js';
import { el } from '../dom.js';
import { pretty } from '../format.js';
import { say } from '../notices.js';
import {
	answer,
	badge,
	button,
	empty,
	head,
	row,
	state,
	table,
	time,
	toggle,
	verbatim,
} from '../parts.js';

const SHOWN = 100;
const COLUMNS = [
	['Event'],
	['State'],
	['Attempts and answers'],
	['What was sent'],
	['', 'end act'],
];

const load = async () =>
	await Promise.all([call('endpoints'), call('deliveries', { limit: SHOWN })]);

const draw = ([endpoints, deliveries]) => [
	head('Deliveries', 'Where events go and what was answered. You can replay any delivery.'),
	endpoints.length > 0
		? el('div.stack', endpoints.map(endpoint))
		: empty(
				'No endpoint is registered',
				'Publish a workflow with the Commerce Platform Trigger in n8n: it registers one.',
			),
	el('h2.section', 'Deliveries'),
	table('Deliveries, the newest first', COLUMNS, deliveries.toReversed().map(deliveryRow), [
		'No deliveries yet',
		'Pay an order. Each endpoint that listens for order.paid gets one.',
	]),
];

/** How the trigger describes its endpoint, e.g. `n8n workflow 8sKx (test): Order paid`. */
const WORKFLOW = /^n8n workflow \S+?(?<test> \(test\))?: (?<name>.+)$/;

/** The name of the workflow that an endpoint belongs to, or else its description. */
function nameOf(description) {
	const { name, test } = WORKFLOW.exec(description)?.groups ?? {};
	if (name === undefined) return description || 'Endpoint';
	return test ? `${name} (listens for a test event)` : name;
}

const endpoint = ({ id, url, events, description, status }) =>
	el(
		'section.card.row',
		{ key: id },
		el(
			'div',
			el('p.title', nameOf(description)),
			el('p', el('code', url)),
			el('p.badges', ...events.map((event) => badge(event, 'info'))),
			el('small', el('code', id), ' · Its signing secret was shown once, to n8n.'),
		),
		el(
			'div',
			toggle('Enabled', undefined, status === 'enabled', async (isOn) => {
				const next = isOn ? 'enabled' : 'disabled';
				await call('setEndpointStatus', { endpointId: id, status: next });
				say(`The endpoint is ${next}.`);
			}),
		),
	);

const deliveryRow = ({ id, event, state: present, attempts, nextAttemptAt, body, headers }) =>
	row(
		id,
		['td', el('span.title', event), el('small.mono', id)],
		['td', state(present), nextAttemptAt && el('small', 'again at ', time(nextAttemptAt))],
		['td', ...attempts.map(attempted), attempts.length === 0 && 'On its way'],
		['td', sent(body, headers)],
		['td.end.act', replayButton(id, event)],
	);

const attempted = ({ at, status, error, durationMs }) =>
	el(
		'div',
		answer(status, error),
		' ',
		el('span.soft', time(at), ` · ${Math.round(durationMs)} ms`),
	);

function sent(body, headers) {
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
	return el(
		'details',
		el('summary', 'Body and headers'),
		verbatim('Body', pretty(body)),
		verbatim('Headers', lines.join('\n')),
	);
}

function replayButton(id, event) {
	const replay = async () => {
		await call('replay', { deliveryId: id });
		say(`${event} was delivered once more.`);
	};
	return button('Replay', replay, { name: `Replay the delivery of ${event}, ${id}` });
}

export const deliveries = { title: 'Deliveries', open: () => ({ load, draw }) };
