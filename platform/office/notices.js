const SHOWN_MS = 7_000;

const noticesPlace = document.getElementById('notices');
const problemPlace = document.getElementById('problem');

function add(className, text) {
	const notice = document.createElement('p');
	notice.className = className;
	notice.textContent = text;
	noticesPlace.append(notice);
	setTimeout(() => notice.remove(), SHOWN_MS);
}

/** Says what happened, in a corner and to screen readers. */
export const say = (text, tone = 'good') => add(`notice ${tone}`, text);

/** Says something to screen readers alone. */
export const announce = (text) => add('unseen', text);

/** Shows an error until it is over; '' when it is. */
export function problem(text) {
	if (problemPlace.textContent !== text) problemPlace.textContent = text;
}
