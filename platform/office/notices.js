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

/** Shows what happened in a corner, and says it to screen readers. */
export const say = (text, tone = 'good') => add(`notice ${tone}`, text);

/** Says something to screen readers only. */
export const announce = (text) => add('unseen', text);

/** Shows an error; the empty text removes it. */
export function problem(text) {
	if (problemPlace.textContent !== text) problemPlace.textContent = text;
}
