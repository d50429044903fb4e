import { DEFAULT_DIALECT } from '../../platform/dialects/dialect';
import { NAMED_CASES, type Case } from '../operations/cases';
import { useShop } from '../operations/shop';
import { adapted } from './adapted';
import { inEachDialect } from './chosen';
import { impossibleIn } from './impossible';

const isWrite = (route: string) => !route.startsWith('GET');

inEachDialect('the operation', (dialect) => {
	const { shop, fixtures } = useShop('each', dialect);
	const isDefault = dialect === DEFAULT_DIALECT;

	async function run(one: Case) {
		const result = await shop.run(one.operation, adapted(one, fixtures, dialect));
		const { violations, refusedRequests } = await shop.platform.control.counters();
		expect([violations, isDefault ? refusedRequests : []]).toEqual([[], []]);
		return result;
	}

	/** Dialects may ask for other reads; what writes is always the same. */
	async function expectRequests({ routes, query, body, headers }: Case) {
		const wire = (await shop.sent()).map((one) => ({
			...one,
			route: `${one.method} ${one.route}`,
			body: one.body ? (JSON.parse(one.body) as unknown) : undefined,
		}));
		for (const one of wire) {
			const type = one.body === undefined ? undefined : 'application/json';
			expect([one.headers.accept, one.headers['content-type']]).toEqual(['application/json', type]);
			expect('idempotency-key' in one.headers).toBe(isWrite(one.route));
		}
		const sent = wire.map(({ route }) => route);
		expect(sent.filter(isWrite)).toEqual(routes.filter(isWrite));
		const work = wire.find(({ route }) => isWrite(route)) ?? wire[wire.length - 1];
		if (body) expect(work.body).toEqual(body(fixtures));
		expect(work.headers).toMatchObject(headers ?? {});
		if (!isDefault) return;
		expect(sent).toEqual(routes);
		const { searchParams } = new URL(work.target, 'http://x');
		if (query) expect(Object.fromEntries(searchParams)).toEqual(query(fixtures));
	}

	/** A write without a record in its answer is done all the same. */
	function expected(one: Case) {
		const showsNone = dialect.writeAnswer !== 'record' && one.routes.some(isWrite) && !one.isOwn;
		return showsNone ? { success: true } : one.item(fixtures, dialect);
	}

	const possible = NAMED_CASES.filter(([name]) => !impossibleIn(name, dialect));
	it.each(possible)('%s', async (_name, one) => {
		const { error, items } = await run(one);
		expect(error).toBeUndefined();
		const item = { json: expected(one), pairedItem: { item: 0 } };
		expect(items).toMatchObject(Array(one.count ?? 1).fill(item));
		await expectRequests(one);
	});

	for (const [name, one] of NAMED_CASES) {
		const reason = impossibleIn(name, dialect);
		if (reason === undefined) continue;
		it(`${name} says that it fails: ${reason.why}`, async () => {
			const { error, items } = await run(one);
			expect(items).toEqual([]);
			expect(error?.message.length).toBeGreaterThan(10);
			if (reason.isDone) await expectRequests(one);
		});
	}
});
