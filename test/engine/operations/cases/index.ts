import type { Case } from './case';
import { shopCases } from './shopCases';
import { orderCases } from './orderCases';
import { productCases } from './productCases';
import { webhookCases } from './webhookCases';

export { operationOf, type Case } from './case';

/** Every operation, as a user would set it up. */
export const CASES: Case[] = [...shopCases, ...orderCases, ...productCases, ...webhookCases];

/** All of them under their names, for `it.each`. */
export const NAMED_CASES = CASES.map((one) => [one.name, one] as const);

/** The first case of each operation, which says what is true of all of them. */
export const FIRST_CASES = CASES.filter(({ name, operation }) => name === operation);
