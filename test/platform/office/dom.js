/**
 * Makes an element.
 *
 * @param {string} name `tag` or `tag.class.class`
 * @param {...(Record<string, unknown> | Node | string | null | undefined | false)} parts first, if there are any,
 * the attributes, of which functions are listeners (`onclick`), and `false`, `null` and `undefined` are left out; then
 * the children
 */
export function el(name, ...parts) {
	const [props, children] = isPlain(parts[0]) ? [parts[0], parts.slice(1)] : [{}, parts];
	const [tag, ...classes] = name.split('.');
	const element = document.createElement(tag);
	if (classes.length > 0) element.className = classes.join(' ');
	for (const [key, value] of Object.entries(props)) {
		if (typeof value === 'function') element.addEventListener(key.slice('on'.length), value);
		else if (value === true) element.setAttribute(key, '');
		else if (value !== false && value !== null && value !== undefined) {
			element.setAttribute(key, String(value));
		}
	}
	element.append(...children.flat().filter((child) => child || child === 0));
	return element;
}

const isPlain = (part) => Object.getPrototypeOf(part ?? '') === Object.prototype;

/** What each list shows at present: element and content by key. */
const shown = new WeakMap();

/**
 * Brings the children of a list up to date. Only what changed is made anew, so that focus, opened
 * details and half-typed numbers stay.
 */
export function keyed(parent, items, keyOf, render) {
	const before = shown.get(parent) ?? new Map();
	const after = new Map(items.map((item) => [keyOf(item), item]));
	for (const [key, { element }] of before) if (!after.has(key)) element.remove();
	const next = new Map();
	let place = parent.firstElementChild;
	for (const [key, item] of after) {
		const entry = upToDate(before.get(key), item, render);
		if (place === before.get(key)?.element) place = place?.nextElementSibling ?? null;
		if (entry.element.parentElement !== parent || entry.element.nextElementSibling !== place) {
			parent.insertBefore(entry.element, place);
		}
		next.set(key, entry);
	}
	shown.set(parent, next);
}

function upToDate(known, item, render) {
	const content = JSON.stringify(item);
	if (known?.content === content) return known;
	const element = render(item);
	if (known !== undefined) replace(known.element, element);
	return { content, element };
}

/** Puts a new element in the place of an old one, with what the user did there. */
function replace(old, fresh) {
	const open = [...old.querySelectorAll('details')].map((details) => details.open);
	[...fresh.querySelectorAll('details')].forEach((details, n) => (details.open = open[n] ?? false));
	const focused = old.contains(document.activeElement) ? document.activeElement : null;
	if (focused instanceof HTMLInputElement && focused.dataset.act) {
		const input = fresh.querySelector(`[data-act="${focused.dataset.act}"]`);
		if (input) input.value = focused.value;
	}
	old.replaceWith(fresh);
	if (focused === null) return;
	const same = fresh.querySelector(`[data-act="${focused.dataset?.act}"]`);
	(same ?? firstToFocus(fresh)).focus({ preventScroll: true });
}

function firstToFocus(element) {
	const inside = element.querySelector('button, a, summary, input, select');
	if (inside) return inside;
	element.tabIndex = -1;
	return element;
}
