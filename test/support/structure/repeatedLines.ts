import type { Sources } from './sources';

/**
 * Places where lines repeat those of an earlier place, apart from blank lines and indents.
 *
 * @param count the number of lines from which on they count as repeated
 * @returns the first and the second place of each, e.g. `a.ts:3 and b.ts:17`
 */
export function repeatedLines(sources: Sources, count: number): string[] {
	const seen = new Map<string, string>();
	const repeated: string[] = [];
	for (const [file, text] of sources) {
		const lines = text
			.split('\n')
			.map((line, index) => ({ text: line.trim(), number: index + 1 }))
			.filter((line) => line.text !== '');
		for (let start = 0; start + count <= lines.length; start++) {
			const window = lines.slice(start, start + count);
			const key = window.map((line) => line.text).join('\n');
			const place = `${file}:${window[0].number}`;
			const first = seen.get(key);
			if (first === undefined) seen.set(key, place);
			else repeated.push(`${first} and ${place}`);
		}
	}
	return repeated;
}
