import { table, withPart } from '../support/markdown';
import { POINT_NAMES, pointOf, valuesOf } from './table';

/** The switches with their values for `--help`: the default comes first, the contrary value has a star. */
export const dialectHelp = (): string =>
	POINT_NAMES.map((name) => {
		const { contrary } = pointOf(name);
		const values = valuesOf(name).map((value) => (value === contrary ? `${value}*` : value));
		return `  ${name.padEnd(24)}${values.join(', ')}`;
	}).join('\n');

/** The README with a table of the switches, their open sentences and the meaning of each value. */
export function withDialectTable(readme: string): string {
	const rows = POINT_NAMES.map((name) => {
		const { sentence, values, contrary } = pointOf(name);
		const meanings = Object.entries(values).map(
			([value, meaning]) => `${value === contrary ? `**${value}**` : value}: ${meaning}`,
		);
		return [`\`${name}\``, sentence, meanings.join('; ')];
	});
	const head = 'values: the default first, the contrary one bold';
	return withPart(
		readme,
		'dialects',
		table(['switch', 'what the document leaves open', head], rows),
	);
}
