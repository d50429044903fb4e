import type { IDataObject } from 'n8n-workflow';

import { isTool } from '../../shared/n8n';
import { decimalFormOf, type Item } from '../../shared/values/fields';
import { partsOf, pick } from '../../shared/values/json';
import { rowWithMoney, withDecimals } from '../../shared/values/money';
import { boolean, oneOf, saysNothing, someText, textList } from '../../shared/values/readers';
import type { Run } from './operation';

/**
 * Makes the function that brings a record into the user's form: Simplify, decimals beside amounts, Selected Fields. A
 * write gives decimals as well, unless amounts were entered in minor units.
 */
export function shapeOf(
	{ operation, isWrite, report }: Run,
	item: Item,
	output = 'records',
): (record: IDataObject) => IDataObject {
	const makesRows =
		operation.kind === 'all' ? operation.makesRows : output !== 'records' && output !== 'pages';
	const { isShort, selectedNames } = wantedOf(item, isWrite);
	const simplifyRecord = 'simplify' in operation ? operation.simplify : undefined;
	const shorten = isShort && !makesRows && simplifyRecord ? shortener(simplifyRecord) : undefined;
	const isEnteredInMajor = isWrite && item.options.amountsAreIn !== 'minor';
	const decimalForm = decimalFormOf(
		item.options,
		shorten || makesRows || isEnteredInMajor ? 'number' : 'off',
	);
	const withForm = (record: IDataObject): IDataObject =>
		makesRows ? rowWithMoney(record, decimalForm) : withDecimals(record, decimalForm);
	return (record) => {
		const shaped = withForm(shorten === undefined ? record : shorten(record));
		if (selectedNames.length === 0) return shaped;
		const { fields, missing } = partsOf(withForm(record), shaped, selectedNames);
		report.selects(selectedNames, missing);
		// A model sees no hint.
		return isTool(item.node) && missing.length > 0 ? { ...fields, missingFields: missing } : fields;
	};
}

/** What the node adds to a record that was left as it is. */
const MARKS = ['skipped', 'transitionSkipped'];

/** Shortens records. What the node made itself stays: a dry run's row, and the success of a write without an answer. */
const shortener = (simplify: (record: IDataObject) => IDataObject) => (record: IDataObject) =>
	record.dryRun === true || record.success === true
		? record
		: { ...simplify(record), ...pick(record, MARKS) };

/**
 * Which fields of a record are given. A write has the option Whole Record, a read has Simplify, and as an AI tool the
 * field Output.
 *
 * @throws InputError
 */
function wantedOf(item: Item, isWrite: boolean): { isShort: boolean; selectedNames: string[] } {
	const { selectedFields, wholeRecord } = item.options;
	if (isWrite) return { isShort: wholeRecord !== true, selectedNames: [] };
	const output = isTool(item.node) ? item.parameter('output', '') : '';
	if (saysNothing(output))
		return {
			// Off where the operation has no such field, and where an expression gives no value.
			isShort: boolean('Simplify', item.parameter('simplify', false) ?? false),
			selectedNames: textList('Selected Fields', selectedFields),
		};
	const chosen = oneOf('Output', output, ['raw', 'selectedFields', 'simplified']);
	const selectedNames =
		chosen === 'selectedFields'
			? textList('Fields', someText('Fields', item.parameter('selectedFields', '')))
			: textList('Selected Fields', selectedFields);
	return { isShort: chosen === 'simplified', selectedNames };
}
