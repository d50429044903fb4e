import { NAMED_CASES, type Case } from '../operations/cases';
import type { RecordedRequest } from '../../platform';
import { type Fixtures, useShop } from '../operations/shop';
import { adapted } from './adapted';
import { inEachDialect } from './chosen';

/** Each shop has cursors of its own. */
const CURSOR = /cursor=[^&"]*/g;

/** The package's runner is tried in all dialects; that n8n's does the same is tried in the first few. */
const FIRST_FEW = 3;

/** What two runs over equal shops have in common: random ids by name, connection headers left out. */
function comparable(requests: RecordedRequest[], { webhook }: Fixtures): unknown {
	return requests.map(({ method, target, headers, body, status }) => ({
		method,
		target: target.replaceAll(webhook, '<webhook>'),
		body: body?.replaceAll(webhook, '<webhook>'),
		status,
		headers: {
			...headers,
			host: '',
			'user-agent': '',
			// A key covers the request, so with a random ID in it the key is random as well.
			...(`${target}${body}`.includes(webhook) && { 'idempotency-key': '' }),
		},
	}));
}

inEachDialect(
	'n8n’s RoutingNode',
	(dialect) => {
		const { shop } = useShop('each', dialect);
		async function run(one: Case, routingNode: boolean) {
			const fixtures = await shop.fresh();
			await shop.platform.control.configure({ dialect });
			const parameters = adapted(one, fixtures, dialect);
			const { json, error } = await shop.run(one.operation, parameters, { routingNode });
			const requests = JSON.stringify(comparable(await shop.sent(), fixtures));
			const fields = json.map((item) => Object.keys(item));
			return { requests: requests.replace(CURSOR, ''), fields, message: error?.message };
		}

		it.each(NAMED_CASES)(
			'%s: the same requests, items and errors as through the package’s runner',
			async (_name, one) => expect(await run(one, true)).toEqual(await run(one, false)),
		);
	},
	FIRST_FEW,
);
