import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../../../nodes/CommercePlatform/fields/field';
import type { Operation } from '../../../../nodes/CommercePlatform/run/operation';
import { flagParameter, readOptions } from '../../../../nodes/CommercePlatform/run/read';

describe('a switch of the options', () => {
	const operation = {
		fields: [
			{ name: 'options', options: [{ displayName: 'Dry Run', name: 'dryRun', type: 'boolean' }] },
		],
	} as unknown as Operation;
	const dryRun = (chosen: IDataObject) => readOptions(operation, chosen).dryRun;

	it('is off where it was not added', () => {
		expect(dryRun({})).toBeUndefined();
	});

	it.each([
		[true, true],
		[false, false],
		['true', true],
		[' False ', false],
	])('reads %j as %j', (value, read) => {
		expect(dryRun({ dryRun: value })).toBe(read);
	});

	it.each([undefined, null, '', 0, 1, 'yes', [], {}])('refuses %j by its name', (value) => {
		expect(() => dryRun({ dryRun: value as never })).toThrow('“Dry Run” must be true or false');
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
