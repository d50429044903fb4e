import { el } from './dom.js';
import { when } from './format.js';
import { say } from './notices.js';

/** The head of a view: its name, a sentence, and what can be done there. */
export const head = (title, lead, ...actions) =>
	el(
		'header.head',
		el('div', el('h1', { tabindex: '-1' }, title), el('p.lead', lead)),
		el('div.actions', ...actions),
	);

/**
 * A button that is busy until its work is done, and says what went wrong.
 *
 * @param {string} label
 * @param {() => Promise<void>} work
 * @param {{ act?: string, kind?: string, name?: string }} [options] `act` tells the button apart in its
 * row, `name` is what a screen reader says
 */
export function button(label, work, { act, kind = 'plain', name } = {}) {
	const element = el(
		`button.${kind}`,
		{ type: 'button', 'data-act': act, 'aria-label': name },
		label,
	);
	element.addEventListener('click', async () => {
		if (element.getAttribute('aria-disabled') === 'true') return;
		element.setAttribute('aria-disabled', 'true');
		await attempt(work);
		element.removeAttribute('aria-disabled');
	});
	return element;
}

/** Does something that the user asked for; an error is said. */
export async function attempt(work) {
	try {
		await work();
	} catch (error) {
		say(error.message, 'bad');
	}
}

/** @param {string} tone good, warn, bad, info or none */
export const badge = (text, tone = 'none') => el(`span.badge.${tone}`, text);

/** When something was, e.g. `12:30:05`. */
export const time = (at) => el('time', { datetime: at }, when(at));

/** A row of a table. @param {Array<[name: string, ...parts: unknown[]]>} cells as `el` takes them */
export const row = (...cells) => el('tr', ...cells.map((cell) => el(...cell)));

/**
 * A table whose body is filled later; the caption is for screen readers.
 *
 * @param {Array<[name: string, kind?: string]>} columns `kind` is a class
 */
export function table(caption, columns) {
	const body = el('tbody');
	const cells = columns.map(([name, kind]) =>
		el('th', { scope: 'col', class: kind }, name === '' ? el('span.unseen', 'Actions') : name),
	);
	const element = el(
		'div.table',
		{ tabindex: '0', role: 'region', 'aria-label': caption },
		el('table', el('caption.unseen', caption), el('thead', el('tr', ...cells)), body),
	);
	return { element, body };
}

/** Text as it is, which the keyboard can scroll; the name is for screen readers. */
export const verbatim = (name, text) =>
	el('pre', { tabindex: '0', role: 'group', 'aria-label': name }, text);

/** What stands in the place of an empty list. */
export const empty = (title, text) => el('div.empty', el('p.empty-title', title), el('p', text));

/** Shows one of two: the list, or what stands in its place. */
export function showEither(list, otherwise, isEmpty) {
	list.hidden = isEmpty;
	otherwise.hidden = !isEmpty;
}

/** A switch with its name and a sentence. */
export function toggle({ name, text, isOn, change, id }) {
	const input = el('input', { type: 'checkbox', role: 'switch', id, 'data-act': id });
	input.checked = isOn;
	input.addEventListener('change', () => void attempt(async () => await change(input.checked)));
	return el(
		'label.toggle',
		{ for: id },
		input,
		el('span.track', { 'aria-hidden': 'true' }),
		el('span.toggle-text', el('b', name), text && el('small', text)),
	);
}

/** A choice among a few. @param {Array<[value: string, label: string]>} choices */
export function select({ label, choices, value, change, act, isLabelSeen = false }) {
	const options = choices.map(([key, text]) =>
		el('option', { value: key, selected: key === value }, text),
	);
	const field = el(
		'select',
		{ 'aria-label': isLabelSeen ? null : label, 'data-act': act },
		...options,
	);
	field.addEventListener('change', () => void attempt(async () => await change(field.value)));
	return isLabelSeen ? el('label.field', el('span', label), field) : field;
}

/** A field to search in. */
export function search(label, change) {
	const input = el('input.search', { type: 'search', placeholder: label, 'aria-label': label });
	input.addEventListener('input', () => change(input.value));
	return input;
}

/** A row of buttons of which one is pressed. */
export function segments(label, choices, change) {
	const group = el('div.segments', { role: 'group', 'aria-label': label });
	const press = (chosen) => {
		for (const one of group.children) {
			one.setAttribute('aria-pressed', String(one.dataset.value === chosen));
		}
	};
	for (const [value, text] of choices) {
		group.append(
			el(
				'button',
				{ type: 'button', 'data-value': value, onclick: () => (press(value), change(value)) },
				text,
			),
		);
	}
	press(choices[0][0]);
	return group;
}
