import type { ListOperation } from '../../engine/operation';
import { COMMON_FILTERS, filters, knownStates } from '../../fields/filters';
import { CHANGES_TRIGGER, listFields } from '../../fields/options';
import { decimalAmounts } from '../../../shared/fields/decimalAmounts';
import { simplify } from '../../../shared/fields/simplify';
import { simplifyProduct } from '../../model/simplifyProduct';
import { variantRows, variantsOutput } from './variantRows';

/** Workflows hand whole products on, so it is preset for models only: each field costs them words. */
const short = { ...simplify, default: false };

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
	simplify: simplifyProduct,
	rows: variantRows,
	fields: listFields(
		filters(COMMON_FILTERS, {
			status: knownStates('products', ['draft', 'published']),
		}),
		{ simplify: short, options: [decimalAmounts], outputs: [variantsOutput] },
	),
};
