import {
	describeOwner,
	isInTheWay,
	isHealthy,
	isOwnTest,
	isSameAddress,
	isStranded,
	isOwn,
	type ListedEndpoint,
} from '../../../../nodes/CommercePlatformTrigger/endpoint/accountEndpoints';
import { ownerOf } from '../../../../nodes/shared/model/events';
import {
	emptyRecord,
	type EndpointRecord,
} from '../../../../nodes/CommercePlatformTrigger/memory/endpointRecord';

const ADDRESS = 'https://n8n.example/webhook/11/webhook';
const TEST_ADDRESS = 'https://n8n.example/webhook-test/11/webhook';

const listed = (change: Partial<ListedEndpoint> = {}): ListedEndpoint => ({
	id: 'wh_1',
	url: ADDRESS,
	events: ['order.paid', 'order.created'],
	status: 'enabled',
	description: describeOwner('w1', 'Orders', false),
	...change,
});

const record = (change: Partial<EndpointRecord> = {}): EndpointRecord => ({
	...emptyRecord({ address: ADDRESS, workflowId: 'w1' }),
	endpoint: { id: 'wh_1', secret: 'sealed', events: ['order.created'], status: 'enabled' },
	...change,
});

const inTheWay = (held: EndpointRecord, all: ListedEndpoint[]) =>
	all.filter((one) => isInTheWay(held, one));

describe('isHealthy', () => {
	const events = ['order.created', 'order.paid'];
	const healthy = (...endpoints: ListedEndpoint[]) => isHealthy(record(), endpoints, events);

	it('is true for the held endpoint, enabled, with this address and exactly these events', () => {
		expect(healthy(listed())).toBe(true);
		expect(healthy(listed(), listed({ id: 'wh_2', url: 'https://other.example/' }))).toBe(true);
	});

	it.each([
		['is gone', []],
		['has another id', [listed({ id: 'wh_2' })]],
		['has another address', [listed({ url: 'https://other.example/' })]],
		['has a duplicate', [listed(), listed({ id: 'wh_2' })]],
		['is disabled', [listed({ status: 'disabled' })]],
		['has fewer events', [listed({ events: ['order.paid'] })]],
		['has more events', [listed({ events: [...events, 'order.cancelled'] })]],
		['has other events', [listed({ events: ['order.created', 'order.cancelled'] })]],
	])('is false where the endpoint %s', (_what, endpoints) => {
		expect(healthy(...endpoints)).toBe(false);
	});

	it('is false where nothing is held', () => {
		expect(isHealthy(record({ endpoint: null }), [listed()], events)).toBe(false);
	});

	it.each([
		['ready', true],
		['Active', true],
		[null, true],
		['suspended', false],
	])('takes a status for "on" that the endpoint had when it was made: %p %p', (status, isOn) => {
		const endpoint = { id: 'wh_1', secret: 's', events: [], status: 'ready' };
		expect(isHealthy(record({ endpoint }), [listed({ status })], events)).toBe(isOn);
	});
});

describe('what stands in the way of a new endpoint', () => {
	it('is everything at this address, and nothing foreign', () => {
		const all = [
			listed(),
			listed({ id: 'wh_2', description: '' }),
			listed({ id: 'wh_3', url: `${ADDRESS}/other`, description: '' }),
			listed({ id: 'wh_4', url: 'https://erp.example/hook', description: 'ERP' }),
		];
		expect(inTheWay(record(), all).map(({ id }) => id)).toEqual(['wh_1', 'wh_2']);
	});

	it('is the held one even if its address was changed on the platform, if it says that it is ours', () => {
		const moved = listed({ url: 'https://n8n.example/moved' });
		expect(inTheWay(record(), [moved])).toEqual([moved]);
		expect(inTheWay(record(), [{ ...moved, description: 'ERP' }])).toEqual([]);
	});
});

describe('what ends with the trigger', () => {
	const lost = listed({ id: 'wh_lost_answer' });
	const of = (workflowId: string) => describeOwner(workflowId, 'Copy', false);

	it.each([
		['the held endpoint', listed(), true],
		['what this workflow left at its address', lost, true],
		['not what another workflow has there', { ...lost, description: of('w2') }, false],
		['not what nobody says is ours', { ...lost, description: '' }, false],
		[
			'not what has only an id like ours',
			listed({ url: 'https://erp.example/hook', description: 'ERP' }),
			false,
		],
		['not what a workflow with a longer id has', { ...lost, description: of('w11') }, false],
	])('is %s', (_what, one, ends) => {
		expect(isOwn(record(), one)).toBe(ends);
	});
});

it.each([
	[{ id: 'wh_9', url: 'https://n8n.example/old' }, true],
	[{ id: 'wh_9' }, false],
	[{ url: 'https://n8n.example/old' }, false],
])('a stranded endpoint is found by id and address together: %j %p', (change, found) => {
	expect(isStranded([{ id: 'wh_9', address: 'https://n8n.example/old' }], listed(change))).toBe(
		found,
	);
});

describe('endpoints that listening for a test event left behind', () => {
	const left = listed({
		id: 'wh_test',
		url: TEST_ADDRESS,
		description: describeOwner('w1', 'Orders', true),
	});

	it.each<[string, Partial<ListedEndpoint>, boolean?]>([
		['this workflow and node', {}, true],
		['another n8n', { url: TEST_ADDRESS.replace('n8n.', 'staging.') }],
		['another node', { url: 'https://n8n.example/webhook-test/22/webhook' }],
		['another workflow', { description: describeOwner('w2', 'Copy', true) }],
		['production', { description: describeOwner('w1', 'Orders', false) }],
		['this very address', { url: ADDRESS }],
	])('are those of %s, or not', (...[, change, isOurs = false]) => {
		expect(isOwnTest(record(), { ...left, ...change })).toBe(isOurs);
	});
});

describe('reading and naming', () => {
	it('evens out how an address is written, and nothing else', () => {
		expect(isSameAddress('https://N8N.example:443/a', 'https://n8n.example/a')).toBe(true);
		expect(isSameAddress('https://n8n.example/a', 'https://n8n.example/a/')).toBe(false);
		expect(isSameAddress('https://n8n.example/a', 'https://n8n.example/A')).toBe(false);
		expect(isSameAddress('not an address', 'not an address')).toBe(true);
	});

	it('knows whose an endpoint is by its description', () => {
		expect(ownerOf(describeOwner('w1', 'Orders', false))).toBe('w1');
		expect(ownerOf(describeOwner('w1', 'a: (test): b', true))).toBe('w1');
		for (const description of [undefined, 7, '', 'ERP', 'my n8n workflow w1: Orders'])
			expect(ownerOf(description)).toBeUndefined();
	});

	it('describes the owner in few words', () => {
		expect(describeOwner('w1', 'Orders', false)).toBe('n8n workflow w1: Orders');
		expect(describeOwner('w1', 'Orders', true)).toBe('n8n workflow w1 (test): Orders');
		expect(describeOwner('w1', 'x'.repeat(500), false)).toHaveLength(150);
	});
});
