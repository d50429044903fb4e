import { call } from '../control.js';
import { el, keyed } from '../dom.js';
import { number, pretty } from '../format.js';
import { badge, empty, head, row, showEither, table, time, verbatim } from '../parts.js';
import { answerTone } from '../tones.js';

const SHOWN = 100;
const MAX_BODY_CHARACTERS = 4_000;

async function open(place) {
	const columns = [['Time'], ['Request'], ['Answer'], ['Body']];
	const { element, body } = table('Requests, the newest first', columns);
	const nothing = empty('No requests yet', 'Test the credential in n8n, or run a workflow.');
	const sums = el('p.soft');
	const pause = el('button', { type: 'button', 'aria-pressed': 'false' }, 'Pause');
	let isPaused = false;
	pause.addEventListener('click', () => {
		isPaused = !isPaused;
		pause.setAttribute('aria-pressed', String(isPaused));
		pause.textContent = isPaused ? 'Go on' : 'Pause';
	});
	place.append(
		head('Requests', 'Everything that n8n asks of the API, as it comes.', pause),
		el('div.tools', sums),
		element,
		nothing,
	);
	return async () => {
		if (isPaused) return;
		const [recorded, counters] = await Promise.all([
			call('requests', { limit: SHOWN, maxBodyCharacters: MAX_BODY_CHARACTERS }),
			call('counters'),
		]);
		const numbered = recorded.map((request, n) => ({
			...request,
			number: counters.total - recorded.length + n + 1,
		}));
		keyed(body, numbered.reverse(), (request) => `${request.number} ${request.at}`, requestRow);
		showEither(element, nothing, recorded.length === 0);
		sums.textContent = summary(counters);
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

const requestRow = ({ number: nth, at, method, target, status, body }) =>
	row(
		['td.near', time(at), el('small', `no. ${nth}`)],
		['td', el('span.title', method), ' ', el('code', target)],
		['td', badge(status === 0 ? 'no answer' : String(status), answerTone(status))],
		[
			'td',
			body
				? el('details', el('summary', 'Body'), verbatim('Body', pretty(body)))
				: el('span.soft', '–'),
		],
	);

export const requests = { title: 'Requests', open };
