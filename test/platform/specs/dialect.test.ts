import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	changeDialect,
	CONTRARY_DIALECT,
	DEFAULT_DIALECT,
	dialectText,
	parseDialect,
	randomDialect,
} from '../dialects/dialect';
import { POINT_NAMES, pointOf, valuesOf } from '../dialects/table';
import { dialectHelp, withDialectTable } from '../dialects/describe';
import { readFlags, USAGE } from '../flags';
import { startPlatform } from '../index';

const RANDOM = Array.from({ length: 200 }, (_, seed) => randomDialect(seed));

describe.each(POINT_NAMES)('the open point %s', (name) => {
	it('names its sentence, has several values with a meaning, and a contrary one', () => {
		const { sentence, values, contrary } = pointOf(name);
		expect(sentence.length).toBeGreaterThan(10);
		expect(valuesOf(name).length).toBeGreaterThan(1);
		expect(Object.values(values).every((meaning) => meaning.length > 2)).toBe(true);
		expect(valuesOf(name).slice(1)).toContain(contrary);
	});

	it('can be turned to each value, and is turned by some seed', () => {
		const drawn = new Set(RANDOM.map((dialect) => dialect[name]));
		expect([...drawn].sort()).toEqual(valuesOf(name).sort());
		for (const value of valuesOf(name)) {
			expect(parseDialect(`${name}=${value}`)[name]).toBe(value);
		}
	});
});

describe('a dialect', () => {
	it('is the same for the same seed', () => {
		expect(parseDialect('7')).toEqual(randomDialect(7));
		expect(randomDialect(7)).toEqual(randomDialect(7));
		expect(randomDialect(7)).not.toEqual(randomDialect(8));
	});

	it('turns everything where it is contrary', () => {
		for (const name of POINT_NAMES) {
			expect(CONTRARY_DIALECT[name]).not.toBe(DEFAULT_DIALECT[name]);
		}
	});

	it('is read back from its own text', () => {
		for (const text of ['default', 'contrary', '1', '2', '3']) {
			expect(parseDialect(dialectText(parseDialect(text)))).toEqual(parseDialect(text));
		}
		expect(dialectText(DEFAULT_DIALECT)).toBe('default');
	});

	it('takes single switches over a whole dialect', () => {
		expect(parseDialect('contrary, sort=ignored')).toEqual({
			...CONTRARY_DIALECT,
			sort: 'ignored',
		});
	});

	it.each(['contrari', 'sort=up', 'constructor=x', '-1', ''])('refuses %j', (text) => {
		expect(() => parseDialect(text)).toThrow(RangeError);
	});

	it('names what it does not know', () => {
		expect(() => changeDialect(DEFAULT_DIALECT, { tone: 'low' })).toThrow('no switch tone');
		expect(() => changeDialect(DEFAULT_DIALECT, { sort: 'up' })).toThrow(
			'sort is taken, refused, ignored; not up',
		);
	});

	it('is chosen on the command line', () => {
		expect(readFlags(['--dialect', 'contrary'])).toMatchObject({ dialect: CONTRARY_DIALECT });
		expect(() => readFlags(['--dialect', 'loud'])).toThrow('not loud');
	});

	it('is chosen at the start, changed at run time, and set back by a reset', async () => {
		const platform = await startPlatform({ products: 1, dialect: '3' });
		const { control } = platform;
		expect(await control.dialect()).toEqual(randomDialect(3));
		await control.configure({ dialect: { sort: 'ignored' } });
		expect(await control.dialect()).toEqual({ ...randomDialect(3), sort: 'ignored' });
		await control.configure({ dialect: 'contrary' });
		expect(await control.dialect()).toEqual(CONTRARY_DIALECT);
		await expect(control.configure({ dialect: 'loud' })).rejects.toThrow('not loud');
		await control.reset();
		expect(await control.dialect()).toEqual(randomDialect(3));
		await platform.close();
	});
});

describe('the list of switches', () => {
	it('stands in the help, with every name and value', () => {
		expect(USAGE).toContain(dialectHelp());
		for (const name of POINT_NAMES) {
			expect(dialectHelp()).toContain(`  ${name} `);
			for (const value of valuesOf(name)) expect(dialectHelp()).toContain(value);
		}
	});

	it('stands in the README as it is in the table (npm run docs)', () => {
		const readme = readFileSync(join(__dirname, '..', 'README.md'), 'utf8');
		expect(withDialectTable(readme)).toBe(readme);
	});
});
