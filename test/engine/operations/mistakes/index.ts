import { byMode } from '../../../support/parameters';
import { FIRST_CASES, operationOf } from '../cases';
import { mistakesOf, NOTHING, rowsOf, type Mistake } from './mistake';
import { ownMistakes } from './ownMistakes';

/** Operations on one record: nothing in place of what names it, in each way in which it can be named. */
const unnamed = FIRST_CASES.flatMap(({ operation, least }) =>
	operationOf(operation)
		.fields.filter(({ type }) => type === 'resourceLocator')
		.flatMap(({ name, displayName, modes = [] }) => {
			const rows = rowsOf(modes, (mode) =>
				rowsOf(Object.entries(NOTHING), ([what, value]) => ({
					[`${what} by ${mode.name}`]: [
						{ [name]: byMode(mode.name, value) },
						`“${displayName}” is empty`,
					],
				})),
			);
			return mistakesOf(operation, least, rows);
		}),
);

/** What users get wrong, operation by operation. */
export const MISTAKES: Mistake[] = [...unnamed, ...ownMistakes];
