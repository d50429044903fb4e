import { el } from './dom.js';
import { when } from './format.js';
import { say } from './notices.js';

/** The head of a view: its title, a sentence and its actions. */
export const head = (title, lead, ...actions) =>
	el(
		'header.head',
		el('div', el('h1', { tabindex: '-1' }, title), el('p.lead', lead)),
		el('div.actions', ...actions),
	);

/** Does something that the user asked for, then looks at the result. An error is shown as a notice. */
export async function attempt(work) {
	try {
		await work();
	} catch (error) {
		say(error.message, 'bad');
	}
	dispatchEvent(new Event('look'));
}

/**
 * A button that is busy until its work is done. An error is shown as a notice.
 *
 * @param {string} label
 * @param {(button: Element) => Promise<void>} work
 * @param {{ act?: string, kind?: string, name?: string, isPressed?: boolean }} [options] `act` identifies the button in
 *   its row, `name` is its text for screen readers
 */
export function button(label, work, { act, kind = 'plain', name, isPressed } = {}) {
	const click = async ({ currentTarget: element }) => {
		if (element.getAttribute('aria-disabled') === 'true') return;
		element.setAttribute('aria-disabled', 'true');
		await attempt(async () => await work(element));
		element.removeAttribute('aria-disabled');
	};
	const aria = { 'aria-label': name, 'aria-pressed': isPressed?.toString() };
	return el(`button.${kind}`, { type: 'button', 'data-act': act, ...aria, onclick: click }, label);
}

const REDIRECT = 300;
const REFUSED = 400;
const FAILED = 500;

/** The colour of a status; 0 means no answer. */
function answerTone(status) {
	if (status === 0 || status >= FAILED) return 'bad';
	if (status >= REFUSED) return 'warn';
	return status >= REDIRECT ? 'none' : 'good';
}

/** The colour of a record's state. */
const STATES = {
	created: 'warn',
	paid: 'good',
	fulfilled: 'info',
	cancelled: 'none',
	published: 'good',
	draft: 'none',
	delivered: 'good',
	pending: 'warn',
	dead: 'bad',
};

/** @param {string} tone good, warn, bad, info or none */
export const badge = (text, tone) => el(`span.badge.${tone}`, text);

/** The state of a record. */
export const state = (value) => badge(value ?? '–', STATES[value] ?? 'none');

/** The status of an answer, or the reason for having none. */
export const answer = (status = 0, error = 'no answer') =>
	badge(status === 0 ? error : status, answerTone(status));

/** A dash for an empty cell. */
export const none = () => el('span.soft', '–');

/** A point in time, e.g. `12:30:05`. */
export const time = (at, ...more) => el('time', { datetime: at }, when(at), ...more);

/** A row of a table. @param {Array<[name: string, ...parts: unknown[]]>} cells as `el` takes them */
export const row = (key, ...cells) => el('tr', { key }, ...cells.map((cell) => el(...cell)));

/**
 * A table, or the `nothing` text if it has no rows. The caption is for screen readers.
 *
 * @param {Array<[name: string, kind?: string]>} columns `kind` is a class
 * @param {[title: string, text: string]} nothing
 */
export function table(caption, columns, rows, nothing) {
	if (rows.length === 0) return empty(...nothing);
	const cells = columns.map(([name, kind]) =>
		el('th', { scope: 'col', class: kind }, name === '' ? el('span.unseen', 'Actions') : name),
	);
	return el(
		'div.table',
		{ tabindex: '0', role: 'region', 'aria-label': caption },
		el('table', el('caption.unseen', caption), el('thead', el('tr', ...cells)), el('tbody', rows)),
	);
}

/** A card of two sides, marked if its subject is not at its default. */
export const card = (isTurned, ...parts) =>
	el('section', { class: isTurned ? 'card row turned' : 'card row' }, ...parts);

/** Unchanged text that the keyboard can scroll; the name is for screen readers. */
export const verbatim = (name, text) =>
	el('pre', { tabindex: '0', role: 'group', 'aria-label': name }, text);

/** What is shown instead of an empty list. */
export const empty = (title, text) => el('div.empty', el('p.empty-title', title), el('p', text));

/** A switch with its name and a sentence. */
export function toggle(name, text, isOn, change) {
	const onchange = ({ currentTarget: { checked } }) => attempt(async () => await change(checked));
	return el(
		'label.toggle',
		el('input', { type: 'checkbox', role: 'switch', checked: isOn, onchange }),
		el('span.track', { 'aria-hidden': 'true' }),
		el('span.toggle-text', el('b', name), text && el('small', text)),
	);
}

/** A choice among a few. @param {Array<[value: string, label: string]>} choices */
export function select(label, choices, value, change) {
	const onchange = ({ currentTarget }) => attempt(async () => await change(currentTarget.value));
	const options = choices.map(([key, text]) => el('option', { value: key }, text));
	return el('select', { 'aria-label': label, value, onchange }, ...options);
}

/** A search field. */
export const search = (label, change) =>
	el('input.search', {
		type: 'search',
		placeholder: label,
		'aria-label': label,
		oninput: ({ currentTarget }) => attempt(() => change(currentTarget.value)),
	});

/** A row of buttons; the one with the value is pressed. */
export function segments(label, choices, value, change) {
	const buttons = choices.map(([key, text]) => {
		const onclick = () => attempt(() => change(key));
		return el('button', { type: 'button', 'aria-pressed': String(key === value), onclick }, text);
	});
	return el('div.segments', { role: 'group', 'aria-label': label }, ...buttons);
}
