import { call } from '../control.js';
import { el } from '../dom.js';
import { number, pretty } from '../format.js';
import { badge, head, row, table, time, verbatim } from '../parts.js';
import { answerTone } from '../tones.js';

const SHOWN = 100;
const MAX_BODY_CHARACTERS = 4_000;
const COLUMNS = [['Time'], ['Request'], ['Answer'], ['Body']];
const NOTHING = ['No requests yet', 'Test the credential in n8n, or run a workflow.'];

function open() {
	let isPaused = false;
	let known;
	const pause = () => {
		isPaused = !isPaused;
		dispatchEvent(new Event('look'));
	};
	return {
		load: async () => {
			if (isPaused) return known;
			const [requests, counters] = await Promise.all([
				call('requests', { limit: SHOWN, maxBodyCharacters: MAX_BODY_CHARACTERS }),
				call('counters'),
			]);
			known = { requests: requests.reverse(), counters };
			return known;
		},
		draw: ({ requests, counters }) => [
			head(
				'Requests',
				'Everything that n8n asks of the API, as it comes.',
				el(
					'button',
					{ type: 'button', 'aria-pressed': String(isPaused), onclick: pause },
					isPaused ? 'Go on' : 'Pause',
				),
			),
			el('div.tools', el('p.soft', summary(counters))),
			table(
				'Requests, the newest first',
				COLUMNS,
				requests.map((request, n) => requestRow(request, counters.total - n)),
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
		['td', badge(status === 0 ? 'no answer' : status, answerTone(status))],
		[
			'td',
			body
				? el('details', el('summary', 'Body'), verbatim('Body', pretty(body)))
				: el('span.soft', '–'),
		],
	);

export const requests = { title: 'Requests', open };
