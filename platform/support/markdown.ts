/** Markdown that is made here may not hold what would end a table's cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** A table in Markdown. */
export function table(head: string[], rows: string[][]): string {
	return [head, head.map(() => '---'), ...rows]
		.map((cells) => `| ${cells.map(cell).join(' | ')} |`)
		.join('\n');
}

/**
 * A document with a generated part in its place.
 *
 * @param name of the part, as its two marks give it
 * @param by what writes it
 * @throws Error if the document has no such place
 */
export function withPart(text: string, name: string, part: string, by = 'npm run docs'): string {
	const begin = `<!-- ${name}: begin, written by ${by} -->`;
	const end = `<!-- ${name}: end -->`;
	const [from, to] = [text.indexOf(begin), text.indexOf(end)];
	if (from < 0 || to < from) throw new Error(`There is no place for “${name}”`);
	return `${text.slice(0, from)}${begin}\n\n${part}\n\n${text.slice(to)}`;
}
