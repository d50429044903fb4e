import { type StubAnswer, stubApi, withLeastWaits } from '../../support/engine';
import { N8nLike } from './n8nLike';

withLeastWaits();

const ELSEWHERE = 'https://erp.example/hook';
const EVENTS = ['order.created', 'order.paid'];

/** The description of an endpoint of a workflow's trigger. */
const describeOwner = (workflowId: string, name: string, test = false) =>
	`n8n workflow ${workflowId}${test ? ' (test)' : ''}: ${name}`;

interface Listed {
	id: string;
	url: string;
	events: string[];
	status: string | null;
	description: string;
}

type Change = Partial<Listed>;

const trigger = () =>
	new N8nLike({ webhookBaseUrl: 'https://n8n.example/webhook', parameters: { events: EVENTS } });

const listedAt = (n8n: N8nLike, change: Change = {}): Listed => ({
	id: 'wh_1',
	url: n8n.address,
	events: ['order.paid', 'order.created'],
	status: 'enabled',
	description: describeOwner('workflow-1', 'Orders'),
	...change,
});

/** A platform that lists these endpoints, and then none. @returns the IDs of those that are removed */
function serve(endpoints: Listed[] = [], made: object = { id: 'wh_9', status: 'enabled' }) {
	const page = (data: Listed[]): StubAnswer => [200, { data, pagination: { has_more: false } }];
	const sent = stubApi({
		'GET /webhooks': [page(endpoints), page([])],
		'POST /webhooks': [[201, { data: { ...made, secret: 's' } }]],
		'DELETE *': [[204]],
	});
	return () =>
		sent.flatMap(({ route }) => (route.startsWith('DELETE') ? route.split('/').at(-1) : []));
}

/** A trigger that has registered `wh_1`, which then had this status. */
async function published(status = 'enabled'): Promise<N8nLike> {
	const n8n = trigger();
	serve([], { id: 'wh_1', status });
	await n8n.create();
	return n8n;
}

it.each<[string, boolean, Change[], string?]>([
	['is the held one, at this address and with these events', true, [{}]],
	['stands beside others', true, [{}, { id: 'wh_2', url: ELSEWHERE }]],
	['has another id', false, [{ id: 'wh_2' }]],
	['has another address', false, [{ url: ELSEWHERE }]],
	['has a duplicate', false, [{}, { id: 'wh_2' }]],
	['has fewer events', false, [{ events: ['order.paid'] }]],
	['has more events', false, [{ events: [...EVENTS, 'order.cancelled'] }]],
	['has other events', false, [{ events: ['order.created', 'order.cancelled'] }]],
	['has the status that it was made with', true, [{ status: 'on' }], 'on'],
	['is active', true, [{ status: 'Active' }], 'on'],
	['shows no status', true, [{ status: null }], 'on'],
	['is suspended', false, [{ status: 'suspended' }], 'on'],
])('an endpoint that %s is healthy: %p', async (...row) => {
	const [, isSound, endpoints, status] = row;
	const n8n = await published(status);
	serve(endpoints.map((change) => listedAt(n8n, change)));
	expect(await n8n.checkExists()).toBe(isSound);
});

it('an endpoint that is not held is not healthy', async () => {
	const n8n = trigger();
	serve([listedAt(n8n)]);
	expect(await n8n.checkExists()).toBe(false);
});

const of = (workflowId: string) => ({ id: 'wh_2', description: describeOwner(workflowId, '') });

it.each<[string, Change, inTheWay: boolean, own: boolean]>([
	['the held one', {}, true, true],
	['what this workflow left at its address', { id: 'wh_2' }, true, true],
	['what another workflow has there', of('workflow-2'), true, false],
	['what a workflow with a longer id has there', of('workflow-11'), true, false],
	['what nobody says is ours', { id: 'wh_2', description: '' }, true, false],
	['what has only an id like ours', { url: ELSEWHERE, description: 'ERP' }, false, false],
	['the held one, moved on the platform', { url: ELSEWHERE }, true, true],
])('%s stands in the way of a new endpoint, and ends with it, or not', async (...row) => {
	const [, change, way, own] = row;
	const removedBy = async (act: (n8n: N8nLike) => Promise<void>) => {
		const n8n = await published();
		const endpoint = listedAt(n8n, change);
		const removed = serve([endpoint]);
		await act(n8n);
		return removed().includes(endpoint.id);
	};
	expect(await removedBy(async (n8n) => await n8n.create())).toBe(way);
	expect(await removedBy(async (n8n) => await n8n.delete())).toBe(own);
});

it.each<[string, (address: string) => string, boolean]>([
	[
		'whose host is in capitals, with its port',
		(url) => url.replace('n8n.example', 'N8N.example:443'),
		true,
	],
	['with a slash at its end', (url) => `${url}/`, false],
	['with a path in capitals', (url) => url.replace('/hook', '/HOOK'), false],
	['with a further part', (url) => `${url}/other`, false],
])('an endpoint %s is taken for one at this address, or not', async (_what, written, isSame) => {
	const n8n = trigger();
	const removed = serve([listedAt(n8n, { url: written(n8n.address), description: '' })]);
	await n8n.create();
	expect(removed()).toEqual(isSame ? ['wh_1'] : []);
});

const AS_TEST = { description: describeOwner('workflow-1', 'Orders', true) };

it.each<[string, Change | ((testAddress: string) => Change), boolean?]>([
	['this workflow and node', {}, true],
	['another n8n', (url) => ({ url: url.replace('n8n.', 'staging.') })],
	['another node', (url) => ({ url: url.replace(/hook-\d+/, 'other') })],
	['another workflow', { description: describeOwner('workflow-2', 'Copy', true) }],
	['production', { description: describeOwner('workflow-1', 'Orders') }],
])('what listening for a test event left behind is that of %s, or not', async (...row) => {
	const [, change, isOurs = false] = row;
	const n8n = trigger();
	const url = n8n.address.replace('/webhook/', '/webhook-test/');
	const given = typeof change === 'function' ? change(url) : change;
	const removed = serve([listedAt(n8n, { url, ...AS_TEST, ...given })]);
	await n8n.create();
	expect(removed()).toEqual(isOurs ? ['wh_1'] : []);
});

it('the held endpoint is removed once, also if somebody has moved it and marked it as one of a test', async () => {
	const n8n = await published();
	const url = n8n.address.replace('/webhook/', '/webhook-test/');
	const removed = serve([listedAt(n8n, { url, ...AS_TEST })]);
	await n8n.create();
	expect(removed()).toEqual(['wh_1']);
});
