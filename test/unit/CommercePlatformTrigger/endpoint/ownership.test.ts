import {
	describeOwner,
	isInTheWay,
	isHealthy,
	isOwnTest,
	isSameAddress,
	isStranded,
	isOwn,
	readEndpoint,
	type ListedEndpoint,
} from '../../../../nodes/CommercePlatformTrigger/endpoint/ownership';
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
const ownEndpoints = (held: EndpointRecord, all: ListedEndpoint[]) =>
	all.filter((one) => isOwn(held, one));

const ids = (endpoints: ListedEndpoint[]) => endpoints.map(({ id }) => id);

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

	it('takes any status for "on" that the endpoint had when it was made, or none at all', () => {
		const odd = record();
		odd.endpoint = { id: 'wh_1', secret: 's', events: [], status: 'ready' };
		expect(isHealthy(odd, [listed({ status: 'ready' })], events)).toBe(true);
		expect(isHealthy(odd, [listed({ status: 'Active' })], events)).toBe(true);
		expect(isHealthy(odd, [listed({ status: null })], events)).toBe(true);
		expect(isHealthy(odd, [listed({ status: 'suspended' })], events)).toBe(false);
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
		expect(ids(inTheWay(record(), all))).toEqual(['wh_1', 'wh_2']);
	});

	it('is the held one even if its address was changed on the platform, if it says that it is ours', () => {
		const moved = listed({ url: 'https://n8n.example/moved' });
		expect(ids(inTheWay(record(), [moved]))).toEqual(['wh_1']);
		expect(inTheWay(record(), [{ ...moved, description: 'ERP' }])).toEqual([]);
	});
});

describe('what ends with the trigger', () => {
	it('is the held endpoint, and what this workflow left at its address', () => {
		const all = [listed(), listed({ id: 'wh_lost_answer' })];
		expect(ids(ownEndpoints(record(), all))).toEqual(['wh_1', 'wh_lost_answer']);
	});

	it('is not what another workflow has at the same address', () => {
		const theirs = listed({ id: 'wh_2', description: describeOwner('w2', 'Copy', false) });
		expect(ownEndpoints(record({ endpoint: null }), [theirs])).toEqual([]);
		expect(ownEndpoints(record({ endpoint: null }), [listed({ description: '' })])).toEqual([]);
	});

	it('is not what merely has an id like ours, on another account', () => {
		const foreign = listed({ url: 'https://erp.example/hook', description: 'ERP' });
		expect(ownEndpoints(record(), [foreign])).toEqual([]);
	});

	it('does not take one workflow id for the beginning of another', () => {
		const longer = listed({ id: 'wh_2', description: describeOwner('w11', 'Other', false) });
		expect(ownEndpoints(record({ endpoint: null }), [longer])).toEqual([]);
	});
});

describe('stranded endpoints', () => {
	it('are found by id and address together', () => {
		const stranded = [{ id: 'wh_9', address: 'https://n8n.example/old' }];
		const found = (change: Partial<ListedEndpoint>) => isStranded(stranded, listed(change));
		expect(found({ id: 'wh_9', url: 'https://n8n.example/old' })).toBe(true);
		expect(found({ id: 'wh_9' })).toBe(false);
		expect(found({ url: 'https://n8n.example/old' })).toBe(false);
	});
});

describe('endpoints that listening for a test event left behind', () => {
	const left = listed({
		id: 'wh_test',
		url: TEST_ADDRESS,
		description: describeOwner('w1', 'Orders', true),
	});

	it('are those of this workflow and node', () => {
		expect(isOwnTest(record(), left)).toBe(true);
	});

	it.each([
		['another n8n', { url: TEST_ADDRESS.replace('n8n.', 'staging.') }],
		['another node', { url: 'https://n8n.example/webhook-test/22/webhook' }],
		['another workflow', { description: describeOwner('w2', 'Copy', true) }],
		['production', { description: describeOwner('w1', 'Orders', false) }],
		['this very address', { url: ADDRESS }],
	])('are not those of %s', (_whose, change) => {
		expect(isOwnTest(record(), { ...left, ...change })).toBe(false);
	});
});

describe('reading and naming', () => {
	it('reads what is there, and needs an id and an address', () => {
		expect(readEndpoint({ id: 'wh_1', url: ADDRESS })).toEqual({
			id: 'wh_1',
			url: ADDRESS,
			events: [],
			status: null,
			description: '',
		});
		expect(readEndpoint({ id: '', url: ADDRESS })).toBeUndefined();
		expect(readEndpoint({ id: 7, url: ADDRESS })).toMatchObject({ id: '7' });
		for (const id of [7.5, null, {}, undefined])
			expect(readEndpoint({ id, url: ADDRESS })).toBeUndefined();
		expect(readEndpoint({ id: 'wh_1' })).toBeUndefined();
	});

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
