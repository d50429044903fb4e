import type { IDataObject } from 'n8n-workflow';

import type { Case } from '../operations/cases';
import type { Dialect } from '../../platform/dialects/dialect';
import type { Fixtures } from '../operations/shop';

/** A filter or value of a case that a dialect refuses whoever sends it. */
interface Refused {
	operation: RegExp;
	filters: readonly string[];
	isSo(dialect: Dialect): boolean;
}

/** Left out of the parameters of a case, so that the rest of the operation is tried. */
export const REFUSED: readonly Refused[] = [
	{ operation: /getAll$/, filters: ['sort'], isSo: ({ sort }) => sort === 'refused' },
];

const without = (fields: IDataObject, names: readonly string[]): IDataObject =>
	Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** The parameters of a case, without what the dialect refuses. */
export function adapted(one: Case, fixtures: Fixtures, dialect: Dialect): IDataObject {
	const parameters = one.parameters(fixtures);
	if (parameters.filters === undefined) return parameters;
	const names = REFUSED.filter(
		({ operation, isSo }) => operation.test(one.operation) && isSo(dialect),
	).flatMap(({ filters }) => filters);
	return { ...parameters, filters: without(parameters.filters as IDataObject, names) };
}
