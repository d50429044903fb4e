import { h, isValidElement } from './preact.js';

/**
 * An element, as Preact draws it.
 *
 * @param {string} name `tag` or `tag.class.class`
 * @param {...unknown} parts first, if there are any, the attributes, of which functions are listeners (`onclick`);
 * then the children, of which `false`, `null` and `undefined` are left out
 */
export function el(name, ...parts) {
	const [tag, ...classes] = name.split('.');
	const [props, children] = isProps(parts[0]) ? [parts[0], parts.slice(1)] : [{}, parts];
	return h(tag, classes.length > 0 ? { class: classes.join(' '), ...props } : props, ...children);
}

const isProps = (part) =>
	typeof part === 'object' && part !== null && !Array.isArray(part) && !isValidElement(part);
