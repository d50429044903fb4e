import { POINT_NAMES, pointOf, valuesOf } from './table';

/** The switches with their values for the command line: the default first, the contrary one starred. */
export const dialectHelp = (): string =>
	POINT_NAMES.map((name) => {
		const { contrary } = pointOf(name);
		const values = valuesOf(name).map((value) => (value === contrary ? `${value}*` : value));
		return `  ${name.padEnd(24)}${values.join(', ')}`;
	}).join('\n');

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The same as a Markdown table, with the open sentences and the meaning of each value. */
export function dialectTable(): string {
	const rows = POINT_NAMES.map((name) => {
		const { sentence, values, contrary } = pointOf(name);
		const meanings = Object.entries(values).map(([value, meaning]) => {
			const shown = value === contrary ? `**${value}**` : value;
			return `${shown}: ${meaning}`;
		});
		return `| \`${name}\` | ${cell(sentence)} | ${cell(meanings.join('; '))} |`;
	});
	return [
		'| switch | what the document leaves open | values: the default first, the contrary one bold |',
		'| --- | --- | --- |',
		...rows,
	].join('\n');
}

const START = '<!-- dialects: written by npm run docs -->';
const END = '<!-- end of dialects -->';

/** A README with the table of the present switches in its place. @throws Error without the place. */
export function withDialectTable(readme: string): string {
	const [start, end] = [readme.indexOf(START), readme.indexOf(END)];
	if (start < 0 || end < start) throw new Error('The README has no place for the dialects');
	return `${readme.slice(0, start)}${START}\n\n${dialectTable()}\n\n${readme.slice(end)}`;
}
