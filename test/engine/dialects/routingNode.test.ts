import { CASES, type Case } from '../operations/cases';
import { comparable } from '../operations/wire';
import { adapted } from './adapted';
import { chosenDialects } from './chosen';
import { openDialectShop, type DialectShop } from './dialectShop';

/** Each shop has cursors of its own. */
const CURSOR = /cursor=[^&"]*/g;

const nameOf = ({ operation, note }: Case): string => (note ? `${operation}, ${note}` : operation);

/** The package's runner is tried in all dialects; that n8n's does the same is tried in the first few. */
const FIRST_FEW = 3;

describe.each(
	chosenDialects()
		.slice(0, FIRST_FEW)
		.map((one) => [one.name, one.dialect] as const),
)('n8n’s RoutingNode, in the dialect %s', (_name, dialect) => {
	let shop: DialectShop;
	beforeAll(async () => {
		shop = await openDialectShop(dialect);
	});
	afterAll(async () => await shop.close());

	async function run(one: Case, routingNode: boolean) {
		const fixtures = await shop.fresh();
		const [resource, operation] = one.operation.split('.');
		const parameters = { resource, operation, ...adapted(one, fixtures, dialect) };
		const { items, error } = await shop.run(parameters, { routingNode });
		const requests = JSON.stringify(
			comparable(await shop.platform.control.requests(), fixtures),
		).replace(CURSOR, 'cursor=');
		const fields = items.map(({ json }) => Object.keys(json));
		return { requests, fields, message: error?.message };
	}

	it.each(CASES.map((one) => [nameOf(one), one] as const))(
		'%s: the same requests, items and errors as through the package’s runner',
		async (_what, one) => {
			expect(await run(one, true)).toEqual(await run(one, false));
		},
	);
});
