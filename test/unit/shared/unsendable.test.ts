import { findUnsendable } from '../../../nodes/shared/values/json';

describe('findUnsendable', () => {
	it.each([
		[{ amount: undefined }, 'amount', 'is undefined'],
		[{ prices: [{ amount: Number.NaN }] }, 'prices[0].amount', 'is NaN, which is no number'],
		[{ a: { b: Number.POSITIVE_INFINITY } }, 'a.b', 'is Infinity, which is no number'],
		[[1, [2, Number.NEGATIVE_INFINITY]], '[1][1]', 'is -Infinity, which is no number'],
		[{ list: [1, undefined] }, 'list[1]', 'is undefined'],
		[{ n: 2 ** 53 }, 'n', 'has more digits than a number holds exactly; enter it as a text'],
		[{ n: -(2 ** 53) }, 'n', 'has more digits than a number holds exactly; enter it as a text'],
		[{ n: 1n }, 'n', 'is not JSON'],
		[{ n: () => 1 }, 'n', 'is not JSON'],
		[{ n: Symbol('x') }, 'n', 'is not JSON'],
		[{ n: new Map([['a', 1]]) }, 'n', 'is not JSON'],
		[{ n: [/x/] }, 'n[0]', 'is not JSON'],
		[{ n: new Error('x') }, 'n', 'is not JSON'],
		[{ at: new Date(Number.NaN) }, 'at', 'is not a valid date'],
		[{ toJSON: undefined }, 'toJSON', 'is undefined'],
		[undefined, '', 'is undefined'],
	])('names %p by its path', (value, path, problem) => {
		const found = findUnsendable(value);
		expect(found?.path).toBe(path);
		expect(found?.problem).toContain(problem);
	});

	it('sees a hole in a list, which JSON would make null', () => {
		// eslint-disable-next-line no-sparse-arrays -- the hole is what is tested
		expect(findUnsendable([1, , 2])).toEqual({ path: '[1]', problem: 'is undefined' });
	});

	it('searches a body of tens of thousands of entries as fast as others, in their order', () => {
		// An import holds this many. A search that goes by the square of them takes minutes.
		const operations: object[] = Array.from({ length: 40_000 }, (_, n) => ({
			sku: `${n}`,
			x: [n],
		}));
		operations.push({ sku: 'late', x: [Number.NaN] }, { sku: 'later', stock: undefined });
		expect(findUnsendable({ operations })?.path).toBe('operations[40000].x[0]');
	});

	it('refuses nesting that no body has, rather than overflow', () => {
		const nested = (levels: number) => {
			let value: unknown = 1;
			for (let n = 0; n < levels; n++) value = [value];
			return value;
		};
		expect(findUnsendable(nested(200))).toBeUndefined();
		expect(findUnsendable(nested(201))?.problem).toBe('is nested too deeply');
		expect(findUnsendable(nested(20_000))?.problem).toBe('is nested too deeply');
		const cycle: Record<string, unknown> = {};
		cycle.self = cycle;
		expect(findUnsendable(cycle)?.problem).toBe('is nested too deeply');
	});

	it('takes dates, and numbers up to the exact ones', () => {
		const body = { at: new Date(0), n: Number.MAX_SAFE_INTEGER, x: 1.5, zero: -0, no: null };
		expect(findUnsendable(body)).toBeUndefined();
	});
});
