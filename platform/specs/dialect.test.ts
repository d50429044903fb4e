import {
	CONTRARY_DIALECT,
	DEFAULT_DIALECT,
	parseDialect,
	randomDialect,
} from '../dialects/dialect';
import { POINT_NAMES, pointOf, valuesOf } from '../dialects/table';
import { startPlatform } from '../index';

const RANDOM = Array.from({ length: 200 }, (_, seed) => randomDialect(seed));

it.each(POINT_NAMES)(
	'%s has several readings, one of them contrary, and can be set to each',
	(name) => {
		const { contrary } = pointOf(name);
		expect(valuesOf(name).slice(1)).toContain(contrary);
		expect([DEFAULT_DIALECT[name], CONTRARY_DIALECT[name]]).toEqual([valuesOf(name)[0], contrary]);
		const drawn = new Set(RANDOM.map((dialect) => dialect[name]));
		expect([...drawn].sort()).toEqual(valuesOf(name).sort());
		for (const value of valuesOf(name)) expect(parseDialect(`${name}=${value}`)[name]).toBe(value);
	},
);

it('a dialect is the same for the same seed, and accepts single switches', () => {
	expect(parseDialect('default')).toEqual(DEFAULT_DIALECT);
	expect(parseDialect('7')).toEqual(RANDOM[7]);
	expect(RANDOM[7]).not.toEqual(RANDOM[8]);
	expect(parseDialect('contrary, sort=ignored')).toEqual({ ...CONTRARY_DIALECT, sort: 'ignored' });
});

it.each([
	['contrari', 'not contrari'],
	['sort=up', 'sort is taken, refused, ignored; not up'],
	['constructor=x', 'no switch constructor'],
	['-1', 'not -1'],
	['', 'a seed or switch=value'],
])('a dialect is refused: %j', (text, reason) => {
	expect(() => parseDialect(text)).toThrow(reason);
});

it('a dialect is chosen at the start, changed at run time, and restored by a reset', async () => {
	const { control, close } = await startPlatform({ products: 1, dialect: '3' });
	await control.configure({ dialect: { sort: 'ignored' } });
	expect(await control.dialect()).toEqual({ ...RANDOM[3], sort: 'ignored' });
	await control.configure({ dialect: 'contrary' });
	expect(await control.dialect()).toEqual(CONTRARY_DIALECT);
	await control.reset();
	expect(await control.dialect()).toEqual(RANDOM[3]);
	await close();
});
