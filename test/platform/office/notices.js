import { el } from './dom.js';

const SHOWN_MS = 7_000;

const noticesPlace = document.getElementById('notices');
const problemPlace = document.getElementById('problem');

/** Says what happened, in a corner and to screen readers. */
export function say(text, tone = 'good') {
	const notice = el(`p.notice.${tone}`, text);
	noticesPlace.append(notice);
	setTimeout(() => notice.remove(), SHOWN_MS);
}

/** Says something to screen readers alone. */
export function announce(text) {
	const words = el('p.unseen', text);
	noticesPlace.append(words);
	setTimeout(() => words.remove(), SHOWN_MS);
}

/** Shows an error until it is over; `null` when it is. */
export function problem(text) {
	if (problemPlace.textContent === (text ?? '')) return;
	problemPlace.textContent = text ?? '';
}
