import type { IDataObject } from 'n8n-workflow';

import type { RecordedRequest } from '../../../platform';
import { loadContract } from '../../../platform/api/contract';
import { DEFAULT_DIALECT, type Dialect } from '../../../platform/dialects/dialect';
import { byId } from '../../support/parameters';
import { NAMED_CASES, operationOf, type Case } from '../operations/cases';
import { type Fixtures, useShop } from '../operations/shop';
import { chosenDialects, inEachDialect } from './chosen';
import { impossibleIn } from './impossible';

const isWrite = (route: string) => !route.startsWith('GET');

/** The parameters of a case, without a sort if the dialect refuses every sort. */
function adapted(testCase: Case, fixtures: Fixtures, { sort }: Dialect): IDataObject {
	const parameters = structuredClone(testCase.parameters(fixtures));
	if (sort === 'refused') delete (parameters.options as IDataObject | undefined)?.sort;
	return parameters;
}

/** Whether the item has more than `success`, although the platform answers writes without a record. */
async function saysWhatItDid({ operation }: Case, writes: string[]): Promise<boolean> {
	if (operationOf(operation).kind === 'all' || writes.some((route) => route.startsWith('DELETE')))
		return true;
	const { operations } = await loadContract();
	const needed = operations.filter(({ answer }) => answer.guarantee === 'needed');
	return needed.some(({ method, template }) => writes.includes(`${method} ${template}`));
}

inEachDialect('the operation', (dialect) => {
	const { shop, fixtures } = useShop('each', dialect);
	const isDefault = dialect === DEFAULT_DIALECT;

	async function run(one: Case) {
		const result = await shop.run(one.operation, adapted(one, fixtures, dialect));
		const { violations, refusedRequests } = await shop.control.counters();
		expect([violations, isDefault ? refusedRequests : []]).toEqual([[], []]);
		return result;
	}

	/** Dialects may need other reads; the writes are always the same. */
	async function expectRequests({ routes, body }: Case) {
		const requests = await shop.sent();
		const sent = requests.map(({ method, route }) => `${method} ${route}`);
		expect(sent.filter(isWrite)).toEqual(routes.filter(isWrite));
		if (isDefault) expect(sent).toEqual(routes);
		const write = requests.find(({ method }) => isWrite(method));
		if (body) expect(JSON.parse(write?.body ?? '')).toEqual(body(fixtures));
	}

	/** A write that is answered without a record is done all the same. */
	async function expected(testCase: Case) {
		const writes = testCase.routes.filter(isWrite);
		const isShown = dialect.writeAnswer === 'record' || writes.length === 0;
		if (isShown || (await saysWhatItDid(testCase, writes))) return testCase.item(fixtures, dialect);
		const isMade = dialect.writeAnswer === 'location' && testCase.operation.endsWith('create');
		const isNamed = isMade || testCase.routes.at(-1)?.includes('{id}');
		const id = isNamed ? { id: expect.any(String) as string } : {};
		return { success: true, status: expect.any(Number) as number, ...id };
	}

	for (const [name, one] of NAMED_CASES) {
		const reason = impossibleIn(name, dialect);
		it(reason === undefined ? name : `${name} says that it fails: ${reason.why}`, async () => {
			const { error, items } = await run(one);
			const item = { json: await expected(one), pairedItem: { item: 0 } };
			expect(items).toMatchObject(reason ? [] : Array(one.count ?? 1).fill(item));
			if (reason) expect(error?.message.length).toBeGreaterThan(10);
			else expect(error).toBeUndefined();
			if (!reason || reason.isDone) await expectRequests(one);
		});
	}

	it.each(['update', 'setPrices'])('%s changes one price, and nothing else', async (operation) => {
		const product = async () =>
			(await shop.record('products', fixtures.product)) as IDataObject & {
				variants: Array<{ sku: string; prices: Array<{ amount: number; currency: string }> }>;
			};
		const before = await product();
		const [{ sku, prices }] = before.variants;
		const price = { amount: '77', currency: prices[0].currency };
		const options = { amountsAreIn: 'minor' };
		const variants = { variant: [{ sku, prices: { price: [price] } }] };
		const updated = { productId: byId(fixtures.product), updateFields: { variants } };
		const fields = operation === 'update' ? updated : { sku, ...price };
		const { error } = await shop.run(`product.${operation}`, { options, ...fields });
		expect(error).toBeUndefined();
		prices[0].amount = 77;
		expect({ ...(await product()), updated_at: null }).toEqual({ ...before, updated_at: null });
	});
});

/** All dialects test the package's runner; the first few also test that n8n's runner does the same. */
const FIRST_FEW = 2;

/** What two runs on equal shops have in common: everything but cursors, random ids and connection headers. */
const comparable = (requests: RecordedRequest[], webhook: string) =>
	JSON.stringify(
		requests.map(({ method, target, headers, body, status }) => {
			const others: IDataObject = { ...headers, host: '', 'user-agent': '' };
			// The node's own keys contain a part that is random in each execution.
			if (/^[\w-]{43}$/.test(String(others['idempotency-key'])))
				others['idempotency-key'] = 'drawn';
			return { method, target, body, status, others };
		}),
	)
		.replaceAll(webhook, '<webhook>')
		.replace(/cursor=[^&"]*/g, '');

inEachDialect(
	'n8n’s RoutingNode',
	(dialect) => {
		const { shop } = useShop('each', dialect);
		async function run(one: Case, routingNode: boolean) {
			const fixtures = await shop.fresh();
			await shop.control.configure({ dialect });
			const parameters = adapted(one, fixtures, dialect);
			const { json, error } = await shop.run(one.operation, parameters, { routingNode });
			const fields = json.map((item) => Object.keys(item));
			const requests = comparable(await shop.sent(), fixtures.webhook);
			const message = error?.message.replaceAll(fixtures.webhook, '<webhook>');
			return { requests, fields, message };
		}

		it.each(NAMED_CASES)(
			'%s: the same requests, items and errors as through the package’s runner',
			async (_name, one) => expect(await run(one, true)).toEqual(await run(one, false)),
		);
	},
	chosenDialects().slice(0, FIRST_FEW),
);
