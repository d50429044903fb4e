import { FIRST_CASES, firstCaseOf, NAMED_CASES, type Case } from '../operations/cases';
import { adapted } from './adapted';
import { inEachDialect } from './chosen';
import { useDialectShop } from './dialectShop';
import { impossibleIn } from './impossible';

it.each(FIRST_CASES.map((one) => [one.operation, one] as const))(
	'the first case of %s says what it gives, and what it changes if it writes',
	(operation, { gives, changes }) => {
		expect(typeof gives).toBe('function');
		expect(changes !== undefined || /\.(get|getAll)$/.test(operation)).toBe(true);
	},
);

inEachDialect('the operation', (dialect) => {
	const { shop, fixtures } = useDialectShop(dialect);

	async function run(one: Case) {
		const result = await shop.run(one.operation, adapted(one, fixtures, dialect));
		expect((await shop.platform.control.counters()).violations).toEqual([]);
		return result;
	}
	const expectEffect = async (one: Case) => {
		const expected = one.changes ?? firstCaseOf(one.operation)?.changes;
		if (expected) expect(await expected.effect(shop, fixtures)).toEqual(expected.becomes());
	};

	const possible = NAMED_CASES.filter(([name]) => !impossibleIn(name, dialect));
	it.each(possible)('%s', async (_name, one) => {
		const { error, items } = await run(one);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(one.count ?? 1);
		for (const { json, pairedItem } of items) {
			firstCaseOf(one.operation)?.gives?.(json, fixtures, dialect);
			expect(pairedItem).toEqual({ item: 0 });
		}
		await expectEffect(one);
	});

	for (const [name, one] of NAMED_CASES) {
		const reason = impossibleIn(name, dialect);
		if (reason === undefined) continue;
		it(`${name} says that it fails: ${reason.why}`, async () => {
			const { error, items } = await run(one);
			expect(items).toEqual([]);
			expect(error?.message.length).toBeGreaterThan(10);
			if (reason.isDone) await expectEffect(one);
		});
	}
});
