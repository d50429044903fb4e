import { Expression, type IDataObject } from 'n8n-workflow';

import { NAMED_CASES, operationOf } from './cases';
import { useShop } from './shop';

const { shop, fixtures } = useShop('each');

afterEach(() => jest.restoreAllMocks());

/** Turns every value that an expression may give into one of its own, which gives the same value. */
function asExpressions(entered: unknown, expressions: string[]): unknown {
	if (Array.isArray(entered)) return entered.map((entry) => asExpressions(entry, expressions));
	if (typeof entered === 'object' && entered !== null)
		return Object.fromEntries(
			Object.entries(entered).map(([name, value]) => [
				name,
				name === 'mode' || name === '__rl' ? value : asExpressions(value, expressions),
			]),
		);
	if (typeof entered === 'string' && entered.startsWith('=')) return entered;
	const expression = `={{ ${JSON.stringify(entered)} /* ${expressions.length} */ }}`;
	expressions.push(expression);
	return expression;
}

it.each(NAMED_CASES)('%s: n8n evaluates no expression twice', async (_name, one) => {
	const { fields } = operationOf(one.operation);
	// What decides which fields are shown takes no expression.
	const fixed = new Set(fields.filter((field) => field.noDataExpression).map(({ name }) => name));
	const expressions: string[] = [];
	const parameters = Object.fromEntries(
		Object.entries(one.parameters(fixtures)).map(([name, value]) => [
			name,
			fixed.has(name) ? value : asExpressions(value, expressions),
		]),
	) as IDataObject;
	const resolve = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
	const { error } = await shop.run(one.operation, parameters);
	expect(error).toBeUndefined();
	const evaluated = resolve.mock.calls.map(([value]) => value);
	const counts = expressions.map((expression) => [
		expression,
		evaluated.filter((value) => value === expression).length,
	]);
	expect(counts.filter(([, count]) => count !== 1)).toEqual([]);
});
