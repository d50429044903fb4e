import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { flag } from '../../shared/input/readers';

/** How the amounts that the user enters are meant. */
export const amountsInMajorUnits: INodeProperties = {
	displayName: 'Amounts in Major Units',
	name: 'amountsInMajorUnits',
	type: 'boolean',
	default: true,
	description:
		'Whether amounts are entered like 19.99 rather than in minor units like 1999. They are converted exactly, by the decimals of each currency; an amount finer than that is refused.',
};

/** Whether this item's amounts are in major units. */
export function inMajorUnits(item: IExecuteSingleFunctions): boolean {
	const options = item.getNodeParameter('options', {}) as IDataObject;
	return flag(options, amountsInMajorUnits.name, amountsInMajorUnits.displayName);
}
