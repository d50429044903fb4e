import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { withDecimals } from '../shared/values/money';
import type { OutputOptions } from './parameters';
import type { Watch } from './watches';
import { changeKeyOf, type Change } from './walk/change';

/** Changes as items: as Get Many gives them, and with their keys where that is wanted. */
export function toItems(
	changes: readonly Change[],
	watch: Watch,
	options: OutputOptions,
): INodeExecutionData[] {
	return changes.map((change) => {
		const short =
			options.simplify && watch.simplify ? watch.simplify(change.record) : change.record;
		const json: IDataObject = withDecimals(short, options.decimals);
		return { json: options.addChangeKey ? { ...json, changeKey: changeKeyOf(change) } : json };
	});
}
