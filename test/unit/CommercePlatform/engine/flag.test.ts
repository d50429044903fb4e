import type { Item } from '../../../../nodes/CommercePlatform/fields/field';
import { flagParameter } from '../../../../nodes/CommercePlatform/run/read';
import { flag } from '../../../../nodes/shared/values/readers';

describe('a switch of the options', () => {
	it('is off where it was not added', () => {
		expect(flag({}, 'dryRun', 'Dry Run')).toBe(false);
	});

	it.each([
		[true, true],
		[false, false],
		['true', true],
		[' False ', false],
	])('reads %j as %j', (value, read) => {
		expect(flag({ dryRun: value }, 'dryRun', 'Dry Run')).toBe(read);
	});

	it.each([undefined, null, '', 0, 1, 'yes', [], {}])('refuses %j by its name', (value) => {
		expect(() => flag({ dryRun: value as never }, 'dryRun', 'Dry Run')).toThrow(
			'“Dry Run” must be true or false',
		);
	});
});

describe('a switch of its own', () => {
	const item = (value: unknown) => ({ parameter: () => value }) as unknown as Item;

	it.each([undefined, null, false, 'false'])('is off at %j', (value) => {
		expect(flagParameter(item(value), 'returnAll', 'Return All')).toBe(false);
	});

	it.each([1, 'yes', ''])('refuses %j by its name', (value) => {
		expect(() => flagParameter(item(value), 'returnAll', 'Return All')).toThrow('Return All');
	});
});
