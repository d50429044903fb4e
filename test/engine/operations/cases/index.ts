import type { Case } from './case';
import { shopCases } from './shopCases';
import { orderCases } from './orderCases';
import { productCases } from './productCases';
import { webhookCases } from './webhookCases';

export { operationOf, type Case } from './case';

/** Every operation, as a user would set it up. */
export const CASES: Case[] = [...shopCases, ...orderCases, ...productCases, ...webhookCases];

/** All cases with their names, for `it.each`. */
export const NAMED_CASES = CASES.map((testCase) => [testCase.name, testCase] as const);

/** The first case of each operation; it has what all of them share. */
export const FIRST_CASES = CASES.filter(({ name, operation }) => name === operation);
