import {
	isHealthy,
	isInTheWay,
	isOwn,
	isOwnTest,
} from '../../../nodes/CommercePlatformTrigger/endpoint';
import { ownerOf } from '../../../nodes/shared/shop/events';
import { EndpointMemory, type EndpointRecord } from '../../../nodes/CommercePlatformTrigger/memory';
import { FakeClock } from '../fakeClock';

type ListedEndpoint = Parameters<typeof isOwn>[1];

const ADDRESS = 'https://n8n.example/webhook/11/webhook';
const TEST_ADDRESS = 'https://n8n.example/webhook-test/11/webhook';
const ELSEWHERE = 'https://erp.example/hook';
const EVENTS = ['order.created', 'order.paid'];

/** The description of an endpoint of a workflow's trigger. */
const describeOwner = (workflowId: string, name: string, test: boolean) =>
	`n8n workflow ${workflowId}${test ? ' (test)' : ''}: ${name}`;

const listed = (change: Partial<ListedEndpoint> = {}): ListedEndpoint => ({
	id: 'wh_1',
	url: ADDRESS,
	events: ['order.paid', 'order.created'],
	status: 'enabled',
	description: describeOwner('w1', 'Orders', false),
	...change,
});

/** The record of an endpoint that had this status when it was created. */
const recordOf = (status: string): EndpointRecord => ({
	...new EndpointMemory({ address: ADDRESS, workflowId: 'w1' }, new FakeClock()).record,
	endpoint: { id: 'wh_1', secret: 'sealed', events: ['order.created'], status },
});
const RECORD = recordOf('enabled');

it.each<[string, boolean, ListedEndpoint[], EndpointRecord?]>([
	['is the held one, at this address and with these events', true, [listed()]],
	['stands beside others', true, [listed(), listed({ id: 'wh_2', url: ELSEWHERE })]],
	['has another id', false, [listed({ id: 'wh_2' })]],
	['has another address', false, [listed({ url: ELSEWHERE })]],
	['has a duplicate', false, [listed(), listed({ id: 'wh_2' })]],
	['has fewer events', false, [listed({ events: ['order.paid'] })]],
	['has more events', false, [listed({ events: [...EVENTS, 'order.cancelled'] })]],
	['has other events', false, [listed({ events: ['order.created', 'order.cancelled'] })]],
	['is not held', false, [listed()], { ...RECORD, endpoint: null }],
	['has the status that it was made with', true, [listed({ status: 'on' })], recordOf('on')],
	['is active', true, [listed({ status: 'Active' })], recordOf('on')],
	['shows no status', true, [listed({ status: null })], recordOf('on')],
	['is suspended', false, [listed({ status: 'suspended' })], recordOf('on')],
])('an endpoint that %s is healthy: %p', (_what, isSound, endpoints, record = RECORD) => {
	expect(isHealthy(record, endpoints, EVENTS)).toBe(isSound);
});

const of = (workflowId: string) => ({
	id: 'wh_2',
	description: describeOwner(workflowId, '', false),
});

it.each<[string, Partial<ListedEndpoint>, inTheWay: boolean, own: boolean]>([
	['the held one', {}, true, true],
	['what this workflow left at its address', { id: 'wh_2' }, true, true],
	['what another workflow has there', of('w2'), true, false],
	['what a workflow with a longer id has there', of('w11'), true, false],
	['what nobody says is ours', { id: 'wh_2', description: '' }, true, false],
	['what has an address like ours', { id: 'wh_3', url: `${ADDRESS}/other` }, false, false],
	['what has only an id like ours', { url: ELSEWHERE, description: 'ERP' }, false, false],
	['the held one, moved on the platform', { url: ELSEWHERE }, true, true],
])('%s stands in the way of a new endpoint, and ends with it, or not', (...row) => {
	const [, change, way, own] = row;
	expect([isInTheWay, isOwn].map((is) => is(RECORD, listed(change)))).toEqual([way, own]);
});

it.each<[string, Partial<ListedEndpoint>, boolean?]>([
	['this workflow and node', {}, true],
	['another n8n', { url: TEST_ADDRESS.replace('n8n.', 'staging.') }],
	['another node', { url: 'https://n8n.example/webhook-test/22/webhook' }],
	['another workflow', { description: describeOwner('w2', 'Copy', true) }],
	['production', { description: describeOwner('w1', 'Orders', false) }],
	['this very address', { url: ADDRESS }],
])('what listening for a test event left behind is that of %s, or not', (...row) => {
	const [, change, isOurs = false] = row;
	const description = describeOwner('w1', 'Orders', true);
	expect(isOwnTest(RECORD, listed({ url: TEST_ADDRESS, description, ...change }))).toBe(isOurs);
});

it.each([
	['https://N8N.example:443/a', 'https://n8n.example/a', true],
	['https://n8n.example/a', 'https://n8n.example/a/', false],
	['https://n8n.example/a', 'https://n8n.example/A', false],
	['not an address', 'not an address', true],
])('an endpoint at %s is at the address %s, or is not: %p', (url, address, isSame) => {
	const record = { ...RECORD, address, endpoint: null };
	expect(isInTheWay(record, listed({ url, description: '' }))).toBe(isSame);
});

it('a description names the owner', () => {
	expect(ownerOf(describeOwner('w1', 'Orders', false))).toBe('w1');
	expect(ownerOf(describeOwner('w1', 'a: (test): b', true))).toBe('w1');
	for (const description of [undefined, 7, '', 'ERP', 'my n8n workflow w1: Orders'])
		expect(ownerOf(description)).toBeUndefined();
});
