import type * as Json from '../../../nodes/shared/values/json';
import type * as Lookup from '../../../nodes/CommercePlatform/runner/lookup';
import type * as Changes from '../../../nodes/CommercePlatform/resources/product/changes';
import type * as Readers from '../../../nodes/shared/values/readers';
import { loseNothing } from './rowsOfFiles';

/** The fault that is planted now. */
let mockFault: string | undefined;

jest.mock('../../../nodes/CommercePlatform/resources/product/changes', () => {
	const actual = jest.requireActual<typeof Changes>(
		'../../../nodes/CommercePlatform/resources/product/changes',
	);
	return {
		...actual,
		mergeVariants: (...given: Parameters<typeof Changes.mergeVariants>) =>
			mockFault === 'the list of rows takes the place of the shop’s'
				? [...given[1]]
				: actual.mergeVariants(...given),
	};
});
jest.mock('../../../nodes/CommercePlatform/runner/lookup', () => {
	const actual = jest.requireActual<typeof Lookup>('../../../nodes/CommercePlatform/runner/lookup');
	return {
		...actual,
		findRecords: async (...given: Parameters<typeof Lookup.findRecords>) => {
			const found = await actual.findRecords(...given);
			if (mockFault === 'only the first name of the run is looked up')
				return new Map([...found].slice(0, 1));
			return found;
		},
	};
});
jest.mock('../../../nodes/shared/values/json', () => {
	const actual = jest.requireActual<typeof Json>('../../../nodes/shared/values/json');
	return {
		...actual,
		isSame: (...given: Parameters<typeof Json.isSame>) =>
			mockFault === 'rows that contradict each other are the same' || actual.isSame(...given),
	};
});
jest.mock('../../../nodes/shared/values/readers', () => {
	const actual = jest.requireActual<typeof Readers>('../../../nodes/shared/values/readers');
	return {
		...actual,
		saysNothing: (value: unknown) =>
			mockFault === 'a blank cell says something' ? value === undefined : actual.saysNothing(value),
	};
});

afterEach(() => (mockFault = undefined));

it.each([
	'the list of rows takes the place of the shop’s',
	'only the first name of the run is looked up',
	'rows that contradict each other are the same',
	'a blank cell says something',
])('the files that are drawn show if %s', async (fault) => {
	mockFault = fault;
	await expect(loseNothing(true, 1_000)).rejects.toThrow('Property failed');
	mockFault = undefined;
	await loseNothing(true, 10);
});
