import type { IDataObject } from 'n8n-workflow';

/** One mistake: the operation's parameters, and the field that the error must name. */
export interface Mistake {
	operation: string;
	what: string;
	parameters: IDataObject;
	names: string;
}

/** What is wrong, with the parameters that say so and the words of the error. */
type Rows = Record<string, [wrong: IDataObject, names: string]>;

/**
 * Mistakes of some operations, e.g. `order.cancel order.refund`.
 *
 * @param right parameters beside those that are wrong
 */
export const mistakesOf = (operations: string, right: IDataObject, rows: Rows): Mistake[] =>
	operations.split(' ').flatMap((operation) =>
		Object.entries(rows).map(([what, [wrong, names]]) => {
			return { operation, what, parameters: { ...right, ...wrong }, names };
		}),
	);

/** The same with several values of one kind. */
export const rowsOf = <T>(values: readonly T[], row: (value: T) => Rows): Rows =>
	Object.assign({}, ...values.map(row)) as Rows;

/** What an expression that finds nothing gives. */
export const NOTHING: Record<string, string> = {
	'an empty text': '={{ "" }}',
	blanks: '={{ " " }}',
	null: '={{ null }}',
	'a missing value': '={{ $json.none }}',
};
