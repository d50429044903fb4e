import { h, isValidElement } from './preact.js';

/**
 * An element for Preact to draw.
 *
 * @param {string} name `tag` or `tag.class.class`
 * @param {...unknown} parts first the attributes, if there are any; functions among them are listeners (`onclick`).
 *   Then the children; `false`, `null` and `undefined` are left out
 */
export function el(name, ...parts) {
	const [tag, ...classes] = name.split('.');
	const [props, children] = isProps(parts[0]) ? [parts[0], parts.slice(1)] : [{}, parts];
	return h(tag, classes.length > 0 ? { class: classes.join(' '), ...props } : props, ...children);
}

const isProps = (part) =>
	typeof part === 'object' && part !== null && !Array.isArray(part) && !isValidElement(part);
