import { CASES, firstCaseOf, type Case } from '../operations/cases';
import { adapted } from './adapted';
import { chosenDialects } from './chosen';
import { openDialectShop, type DialectShop } from './dialectShop';
import { impossibleIn } from './impossible';
import type { Fixtures } from '../operations/shop';

const nameOf = ({ operation, note }: Case): string => (note ? `${operation}, ${note}` : operation);

it.each([...new Set(CASES.map(({ operation }) => operation))])(
	'the first case of %s says what it gives, and what it changes if it writes',
	(operation) => {
		const { gives, changes } = firstCaseOf(operation) ?? {};
		expect(typeof gives).toBe('function');
		expect(changes !== undefined || /\.(get|getAll)$/.test(operation)).toBe(true);
	},
);

describe.each(chosenDialects().map((one) => [one.name, one.dialect] as const))(
	'in the dialect %s',
	(_name, dialect) => {
		let shop: DialectShop;
		beforeAll(async () => {
			shop = await openDialectShop(dialect);
		});
		afterAll(async () => await shop.close());

		async function run(one: Case) {
			const fixtures = await shop.fresh();
			const [resource, operation] = one.operation.split('.');
			const parameters = { resource, operation, ...adapted(one, fixtures, dialect) };
			const result = await shop.run(parameters);
			const { violations } = await shop.platform.control.counters();
			expect(violations).toEqual([]);
			return { fixtures, result };
		}

		const expectEffect = async (one: Case, fixtures: Fixtures) => {
			const expected = one.changes ?? firstCaseOf(one.operation)?.changes;
			if (expected) expect(await expected.effect(shop, fixtures)).toEqual(expected.becomes());
		};

		const possible = CASES.filter((one) => !impossibleIn(nameOf(one), dialect));

		it.each(possible.map((one) => [nameOf(one), one] as const))('%s', async (_what, one) => {
			const { fixtures, result } = await run(one);
			expect(result.error).toBeUndefined();
			expect(result.items).toHaveLength(one.count ?? 1);
			for (const { json, pairedItem } of result.items) {
				firstCaseOf(one.operation)?.gives?.(json, fixtures, dialect);
				expect(pairedItem).toEqual({ item: 0 });
			}
			await expectEffect(one, fixtures);
		});

		const impossible = CASES.flatMap((one) => {
			const reason = impossibleIn(nameOf(one), dialect);
			return reason ? [[nameOf(one), reason.why, one, reason] as const] : [];
		});

		if (impossible.length > 0) {
			it.each(impossible)('%s says that it fails: %s', async (_what, _why, one, reason) => {
				const { fixtures, result } = await run(one);
				expect(result.items).toEqual([]);
				expect(result.error?.message.length).toBeGreaterThan(10);
				if (reason.isDone) await expectEffect(one, fixtures);
			});
		}
	},
);
