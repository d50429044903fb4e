import { call } from '../control.js';
import { el } from '../dom.js';
import { number, pretty } from '../format.js';
import { answer, button, head, none, row, table, time, verbatim } from '../parts.js';

const LATEST = { limit: 100, maxBodyCharacters: 4_000 };
const COLUMNS = [['Time'], ['Request'], ['Answer'], ['Body']];
const NOTHING = ['No requests yet', 'Test the credential in n8n, or run a workflow.'];

function open() {
	let isPaused = false;
	let loaded;
	return {
		load: async () => {
			if (!isPaused) loaded = await Promise.all([call('requests', LATEST), call('counters')]);
			return loaded;
		},
		draw: ([requests, counters]) => [
			head(
				'Requests',
				'API requests from n8n, live.',
				button(isPaused ? 'Go on' : 'Pause', async () => (isPaused = !isPaused), {
					isPressed: isPaused,
				}),
			),
			el('div.tools', el('p.soft', summary(counters))),
			table(
				'Requests, the newest first',
				COLUMNS,
				requests.toReversed().map((request, n) => requestRow(request, counters.total - n)),
				NOTHING,
			),
		],
	};
}

const summary = ({ total, inFlight, maxInFlight, contractViolations }) =>
	[
		`${number(total)} since the start`,
		`${inFlight} in flight, ${maxInFlight} at most`,
		contractViolations > 0 && `${contractViolations} answers strayed from the contract`,
	]
		.filter(Boolean)
		.join(' · ');

const requestRow = ({ at, method, target, status, body }, nth) =>
	row(
		`${nth} ${at}`,
		['td.near', time(at), el('small', `no. ${nth}`)],
		['td', el('span.title', method), ' ', el('code', target)],
		['td', answer(status)],
		['td', body ? el('details', el('summary', 'Body'), verbatim('Body', pretty(body))) : none()],
	);

export const requests = { title: 'Requests', open };
