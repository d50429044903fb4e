import { call } from '../control.js';
import { el, keyed } from '../dom.js';
import { pretty } from '../format.js';
import { say } from '../notices.js';
import {
	badge,
	button,
	empty,
	head,
	row,
	showEither,
	table,
	time,
	toggle,
	verbatim,
} from '../parts.js';
import { answerTone, stateTone } from '../tones.js';

const SHOWN = 100;

async function open(place) {
	const endpoints = el('div.stack');
	const columns = [
		['Event'],
		['State'],
		['Attempts and answers'],
		['What was sent'],
		['', 'end act'],
	];
	const { element, body } = table('Deliveries, the newest first', columns);
	const noEndpoints = empty(
		'No endpoint is registered',
		'Publish a workflow with the Commerce Platform Trigger in n8n: it registers one.',
	);
	const noDeliveries = empty(
		'No deliveries yet',
		'Pay an order. Each endpoint that listens for order.paid gets one.',
	);
	place.append(
		head('Deliveries', 'Where events go, what was answered, and once more if you like.'),
		endpoints,
		noEndpoints,
		el('h2.section', 'Deliveries'),
		element,
		noDeliveries,
	);
	return async () => {
		const [known, sent] = await Promise.all([
			call('endpoints'),
			call('deliveries', { limit: SHOWN }),
		]);
		keyed(endpoints, known, ({ id }) => id, endpoint);
		keyed(body, sent.reverse(), ({ id }) => id, deliveryRow);
		showEither(endpoints, noEndpoints, known.length === 0);
		showEither(element, noDeliveries, sent.length === 0);
	};
}

const endpoint = ({ id, url, events, status }) =>
	el(
		'section.card.row',
		el(
			'div',
			el('p.title', 'Endpoint ', el('code', id)),
			el('p', el('code', url)),
			el('p.badges', ...events.map((event) => badge(event, 'info'))),
			el('small', 'Its signing secret was shown once, to n8n.'),
		),
		el(
			'div',
			toggle({
				id: `endpoint-${id}`,
				name: 'Enabled',
				isOn: status === 'enabled',
				change: async (isOn) => {
					const next = isOn ? 'enabled' : 'disabled';
					await call('setEndpointStatus', { endpointId: id, status: next });
					say(`The endpoint is ${next}.`);
				},
			}),
		),
	);

const deliveryRow = (delivery) =>
	row(
		['td', el('span.title', delivery.event), el('small.mono', delivery.id)],
		['td', badge(delivery.state, stateTone(delivery.state)), nextAttempt(delivery)],
		['td', ...delivery.attempts.map(attempted), delivery.attempts.length === 0 && 'On its way'],
		['td', sent(delivery)],
		['td.end.act', replayButton(delivery)],
	);

const nextAttempt = ({ nextAttemptAt: at }) => at && el('small', 'again at ', time(at));

const attempted = ({ at, status, error, durationMs }) =>
	el(
		'div',
		badge(String(status ?? error), answerTone(status ?? 0)),
		' ',
		el('span.soft', time(at), ` · ${Math.round(durationMs)} ms`),
	);

const sent = ({ body, headers }) =>
	el(
		'details',
		el('summary', 'Body and headers'),
		verbatim('Body', pretty(body)),
		verbatim(
			'Headers',
			Object.entries(headers)
				.map(([name, value]) => `${name}: ${value}`)
				.join('\n'),
		),
	);

const replayButton = ({ id, event }) =>
	button(
		'Replay',
		async () => {
			await call('replay', { deliveryId: id });
			say(`${event} was delivered once more.`);
		},
		{ act: 'replay', name: `Replay the delivery of ${event}, ${id}` },
	);

export const deliveries = { title: 'Deliveries', open };
