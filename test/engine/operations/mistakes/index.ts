import { CASES } from '../cases';
import type { Mistake } from './mistake';
import { genericMistakes } from './genericMistakes';
import { shopMistakes } from './shopMistakes';
import { orderMistakes } from './orderMistakes';
import { productMistakes } from './productMistakes';

/** What users get wrong, operation by operation. */
export const MISTAKES: Mistake[] = [
	...genericMistakes,
	...shopMistakes,
	...orderMistakes,
	...productMistakes,
	...CASES.flatMap(({ operation, mistakes = [] }) =>
		mistakes.map((one) => ({ operation, ...one })),
	),
];
