import { resources } from '../../../../nodes/CommercePlatform/resources';
import { byMode } from '../../../support/parameters';
import { firstCaseOf } from '../cases';
import { mistakesOf, NOTHING, rowsOf, type Mistake } from './mistake';

/** Operations on one record: nothing in place of what names it, in each way in which it can be named. */
export const genericMistakes: Mistake[] = resources.flatMap(({ value: resource, operations }) =>
	operations.flatMap(({ option, fields }) =>
		fields
			.filter(({ type }) => type === 'resourceLocator')
			.flatMap(({ name, displayName, modes = [] }) =>
				mistakesOf(
					`${resource}.${option.value}`,
					firstCaseOf(`${resource}.${option.value}`)?.least ?? {},
					rowsOf(modes, (mode) =>
						rowsOf(Object.entries(NOTHING), ([what, value]) => ({
							[`${what} by ${mode.name}`]: [
								{ [name]: byMode(mode.name, value) },
								`“${displayName}” is empty`,
							],
						})),
					),
				),
			),
	),
);
