import { CASES } from '../cases';
import type { Mistake } from './mistake';
import { genericMistakes } from './genericMistakes';
import { ownMistakes } from './ownMistakes';

/** What users get wrong, operation by operation. */
export const MISTAKES: Mistake[] = [
	...genericMistakes,
	...ownMistakes,
	...CASES.flatMap(({ operation, mistakes = [] }) =>
		mistakes.map((one) => ({ operation, ...one })),
	),
];
