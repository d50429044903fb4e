import type { ListOperation } from '../../engine/operation';
import { COMMON_FILTERS, filters, knownStates } from '../../fields/filters';
import { CHANGES_TRIGGER, listFields } from '../../fields/list';
import { decimalOptions } from '../../fields/decimals';
import { variantRows, variantsOutput } from './variantRows';

export const getAll: ListOperation = {
	kind: 'list',
	cheaperWay: CHANGES_TRIGGER,
	scope: 'products.read',
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many products',
		description: 'Get a list of products',
		routing: { request: { method: 'GET', url: '/products' } },
	},
	rows: variantRows,
	fields: listFields(
		filters(COMMON_FILTERS, {
			status: knownStates('products', ['draft', 'published']),
		}),
		{ options: [...decimalOptions], outputs: [variantsOutput] },
	),
};
