import { parseDialect } from '../../../platform/dialects/dialect';
import { POINT_NAMES, valuesOf } from '../../../platform/dialects/table';
import { chosenDialects } from './chosen';

it('speaks every value of every switch, but for the shapes of an error', () => {
	const dialects = chosenDialects().map(parseDialect);
	const silent = POINT_NAMES.filter((name) => name !== 'errorShape').flatMap((name) =>
		valuesOf(name)
			.filter((value) => !dialects.some((dialect) => dialect[name] === value))
			.map((value) => `${name}=${value}`),
	);
	if (process.env.DIALECTS === undefined) expect(silent).toEqual([]);
});
