import { systemClock } from '../../../nodes/shared/rest/clock';
import { type StubAnswer, stubApi, withLeastWaits } from '../../support/engine';
import { N8nLike } from './n8nLike';

const OURS = { events: ['order.paid'], description: 'n8n workflow workflow-1: Orders' };

withLeastWaits();

const trigger = () => new N8nLike({ webhookBaseUrl: 'https://n8n.example/webhook' });

/** A page of the list of endpoints. */
const listed = (data: object[] = [], next_cursor: string | null = null): StubAnswer => [
	200,
	{ data, pagination: { limit: 250, next_cursor, has_more: next_cursor !== null } },
];
/** The answer to a registration. */
const created = (id: unknown, secret: unknown = 's'): StubAnswer => [
	201,
	{ data: { id, status: 'enabled', ...(secret === null ? {} : { secret }) } },
];

/** A platform that answers lists and registrations in turn. @returns the requests that arrive */
function serve(lists: StubAnswer[], registrations: StubAnswer[] = [created('wh_1')]) {
	const sent = stubApi({
		'GET /webhooks': lists,
		'POST /webhooks': registrations,
		'DELETE *': [[204]],
	});
	const of = (method: string) => sent.filter(({ route }) => route.startsWith(method));
	return {
		sent,
		keys: () => of('POST').map(({ headers }) => headers['idempotency-key']),
		removed: () => of('DELETE').map(({ route }) => route.split('/').at(-1)),
	};
}

it('creates an endpoint anew if its secret did not arrive, and leaves none behind', async () => {
	const n8n = trigger();
	const { keys, removed } = serve([listed()], [created('wh_replayed', null), created('wh_1')]);
	await n8n.create();
	expect(removed()).toEqual(['wh_replayed']);
	expect(new Set(keys()).size).toBe(2);
	expect(n8n.database.staticData).toContain('wh_1');
});

it.each([
	['Orders', 'n8n workflow workflow-1: Orders'],
	['x'.repeat(500), `n8n workflow workflow-1: ${'x'.repeat(125)}`],
])('describes an endpoint by its workflow, in 150 characters at most', async (...row) => {
	const [workflowName, description] = row;
	const { sent } = serve([listed()]);
	await new N8nLike({ webhookBaseUrl: 'https://n8n.example/webhook', workflowName }).create();
	expect(sent.map(({ body }) => body)).toContainEqual(expect.objectContaining({ description }));
});

it('describes the endpoint of a test as such', async () => {
	const { sent } = serve([listed()]);
	await trigger().listen();
	const description = 'n8n workflow workflow-1 (test): Orders';
	expect(sent.map(({ body }) => body)).toContainEqual(expect.objectContaining({ description }));
});

it('fails rather than register an endpoint that cannot be verified', async () => {
	const { removed } = serve([listed()], [created('wh_1', null), created('wh_2', '')]);
	await expect(trigger().create()).rejects.toThrow('registered no usable endpoint');
	expect(removed()).toEqual(['wh_1', 'wh_2']);
});

it('finds its own endpoint after 200,000 on the page before, whatever else is listed', async () => {
	const n8n = trigger();
	const { address: url } = n8n;
	const foreign = Array.from({ length: 200_000 }, (_, i) => ({ id: `wh_${i}`, url: 'x' }));
	const unreadable = [{}, { url }, { id: '', url }, { id: 7.5, url }, { id: {}, url }];
	const others = [...unreadable, { id: 'wh_foreign', url: 'https://erp.example/', ...OURS }];
	const second = listed([...others, { id: 'wh_stale', url }]);
	const { sent, removed } = serve([listed(foreign, 'next'), second, listed()]);
	await n8n.create();
	expect(removed()).toEqual(['wh_stale']);
	const methods = sent.map(({ route }) => route.split(' ')[0]).join(' ');
	expect(methods).toBe('GET GET DELETE POST GET');
});

it('succeeds if only the search for duplicates fails, and says so', async () => {
	const n8n = trigger();
	serve([listed(), [403, {}]]);
	await n8n.create();
	expect(n8n.warnings.join()).toContain('duplicates');
	expect(n8n.database.staticData).toContain('wh_1');
});

it('keeps and removes endpoints whose ids are numbers, and leaves none behind', async () => {
	const n8n = trigger();
	const stale = { id: 6, url: n8n.address, ...OURS };
	const { removed } = serve([listed([stale]), listed()], [created(7)]);
	await n8n.create();
	expect(removed()).toEqual(['6']);
	const own = serve([listed([{ ...stale, id: 7, status: 'enabled' }])]);
	expect(await n8n.checkExists()).toBe(true);
	await n8n.delete();
	expect(own.removed()).toEqual(['7']);
});

describe('a trigger without the ID of its webhook, as a program may write it', () => {
	const imported = (nodeName: string) =>
		new N8nLike({
			...{ webhookBaseUrl: 'https://n8n.example/webhook', workflowId: 'workflow-1' },
			...{ webhookId: undefined, nodeName },
		});

	it.each(['Commerce Platform Trigger', 'Zahlung erhalten', 'Bezahlt & bestätigt'])(
		'is not published if n8n would not serve its address: %s',
		async (nodeName) => {
			const { sent } = serve([listed()]);
			await expect(imported(nodeName).create()).rejects.toMatchObject({
				description: expect.stringContaining(
					'Save the workflow once in n8n, then publish',
				) as string,
			});
			expect(sent).toEqual([]);
		},
	);

	it('is published if its name needs no encoding', async () => {
		const { keys } = serve([listed(), listed()]);
		await imported('Paid').create();
		expect(keys()).toHaveLength(1);
	});
});

describe('an endpoint that was registered for fewer events than were asked for', () => {
	const setup = { events: ['order.paid', 'customer.deleted'] };
	const of = (events?: string[]): StubAnswer => [
		201,
		{ data: { id: 'wh_1', status: 'enabled', secret: 's', events } },
	];
	const n8nWith = () =>
		new N8nLike({ webhookBaseUrl: 'https://n8n.example/webhook', parameters: setup });

	it.each<[string, StubAnswer, (url: string) => StubAnswer]>([
		['as the answer shows', of(['order.paid']), () => listed()],
		[
			'as the list shows',
			of(),
			(url) => listed([{ id: 'wh_1', url, status: 'enabled', events: ['order.paid'] }]),
		],
	])('is removed, and publishing names what is missing: %s', async (_what, answer, list) => {
		const n8n = n8nWith();
		const { removed } = serve([listed(), list(n8n.address)], [answer]);
		await expect(n8n.create()).rejects.toThrow(
			'did not register the webhook endpoint for “customer.deleted”',
		);
		expect(removed()).toEqual(['wh_1']);
	});

	it('is removed also where the platform took longer than a person waits', async () => {
		const n8n = n8nWith();
		const { monotonic } = systemClock;
		let lateMs = 0;
		jest.spyOn(systemClock, 'monotonic').mockImplementation(() => monotonic() + lateMs);
		const removed: string[] = [];
		stubApi({
			'GET /webhooks': () => listed(),
			'POST /webhooks': () => {
				lateMs = 8_000;
				return of(['order.paid']);
			},
			'DELETE *': ({ route }) => {
				removed.push(route);
				return [204];
			},
		});
		const description = expect.stringContaining('so the endpoint was removed') as string;
		await expect(n8n.create()).rejects.toMatchObject({ description });
		expect(removed).toEqual(['DELETE /webhooks/wh_1']);
	});

	it('never counts as healthy, even if it cannot be removed and the list shows no events', async () => {
		const n8n = n8nWith();
		const list = listed([{ id: 'wh_1', url: n8n.address, status: 'enabled' }]);
		const sent = stubApi({
			'GET /webhooks': [listed(), list],
			'POST /webhooks': [of(['order.paid'])],
			'DELETE *': [[403, {}]],
		});
		await expect(n8n.create()).rejects.toThrow('did not register the webhook endpoint');
		expect(sent.filter(({ route }) => route === 'DELETE /webhooks/wh_1')).toHaveLength(1);
		expect(await n8n.checkExists()).toBe(false);
	});

	it.each([undefined, [], [{ name: 'order.paid' }]])(
		'is not suspected if the platform shows no names of events: %j',
		async (events) => {
			const n8n = n8nWith();
			const list = listed([{ id: 'wh_1', url: n8n.address, status: 'enabled', events }]);
			const { removed } = serve([listed(), list, list], [of()]);
			await n8n.create();
			expect(removed()).toEqual([]);
			expect(await n8n.checkExists()).toBe(true);
		},
	);
});
