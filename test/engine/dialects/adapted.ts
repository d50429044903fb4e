import type { IDataObject } from 'n8n-workflow';

import type { Dialect } from '../../platform/dialects/dialect';
import type { Case } from '../operations/cases';
import type { Fixtures } from '../operations/shop';

/** The parameters of a case, without a sort where the dialect refuses that whoever sends it. */
export function adapted(one: Case, fixtures: Fixtures, { sort }: Dialect): IDataObject {
	const { filters, ...parameters } = one.parameters(fixtures);
	if (filters === undefined) return parameters;
	const isRefused = sort === 'refused' && one.operation.endsWith('getAll');
	const kept = Object.entries(filters as IDataObject).filter(
		([name]) => !isRefused || name !== 'sort',
	);
	return { ...parameters, filters: Object.fromEntries(kept) };
}
