/** A cell of a table; it must not contain the characters that end a cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** A table in Markdown. */
export function table(head: string[], rows: string[][]): string {
	return [head, head.map(() => '---'), ...rows]
		.map((cells) => `| ${cells.map(cell).join(' | ')} |`)
		.join('\n');
}

/**
 * Replaces a generated part of a document.
 *
 * @param name the part's name in its two marks
 * @param by the command that writes it
 * @throws Error if the document does not have the marks
 */
export function withPart(text: string, name: string, part: string, by = 'npm run docs'): string {
	const begin = `<!-- ${name}: begin, written by ${by} -->`;
	const end = `<!-- ${name}: end -->`;
	const [from, to] = [text.indexOf(begin), text.indexOf(end)];
	if (from < 0 || to < from) throw new Error(`There is no place for “${name}”`);
	return `${text.slice(0, from)}${begin}\n\n${part}\n\n${text.slice(to)}`;
}
