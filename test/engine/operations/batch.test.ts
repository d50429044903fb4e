import nock from 'nock';
import type { IDataObject, INodeType } from 'n8n-workflow';

import { CommercePlatform } from '../../../nodes/CommercePlatform/CommercePlatform.node';
import { customOperationsOf } from '../../../nodes/CommercePlatform/run/node';
import type { AllOperation, Resource } from '../../../nodes/CommercePlatform/run/operation';
import { propertiesOf } from '../../../nodes/CommercePlatform/run/properties';
import { InputError, settled } from '../../../nodes/shared/errors/errors';
import { text } from '../../../nodes/shared/values/readers';
import { bodyField } from '../../../nodes/CommercePlatform/fields/field';
import { runNode } from '../../support/engine/runNode';
import { BASE_URL } from '../../support/testShop';

/** An operation of the kind that sends one request for many items; the node has none of these names. */
const rename: AllOperation = {
	kind: 'all',
	option: {
		name: 'Rename',
		value: 'rename',
		action: 'Rename a shelf',
		description: 'Rename shelves, three by one request',
		routing: { request: { method: 'POST', url: '/shelves/batch' } },
	},
	async run({ items, send, done, failed }) {
		for (let start = 0; start < items.length; start += 3) {
			const group = items.slice(start, start + 3).filter(({ isDone }) => !isDone);
			if (group.length === 0) continue;
			const body = { operations: group.map(({ fields }) => fields) };
			const request = { method: 'POST' as const, path: '/shelves/batch', body };
			const sent = await settled(send(request, group));
			if (sent.status === 'rejected') {
				for (const item of group) failed([item], sent.reason);
				continue;
			}
			const { results } = sent.value.body as { results: IDataObject[] };
			results.forEach((result, at) =>
				result.error === undefined
					? done([group[at]], result)
					: failed([group[at]], new InputError('Title', String(result.error))),
			);
		}
	},
	fields: [
		bodyField(
			{ displayName: 'Title', name: 'title', type: 'string', required: true, default: '' },
			text,
		),
	],
};

const shelf: Resource = {
	name: 'Shelf',
	value: 'shelf',
	description: 'Shelves',
	noun: 'shelf',
	operations: [rename],
};

function shelfNode(): INodeType {
	const node: INodeType = new CommercePlatform();
	node.description = { ...node.description, properties: propertiesOf([shelf]) };
	node.customOperations = customOperationsOf([shelf]);
	return node;
}

interface Sent {
	titles: string[];
	key: string;
}

/** Answers batches; `answer` gives what becomes of a title. */
function shelves(sent: Sent[], answer: (title: string) => IDataObject, status = () => 200) {
	nock(BASE_URL)
		.post('/shelves/batch')
		.reply(function (_uri, body) {
			const { operations } = body as { operations: IDataObject[] };
			const titles = operations.map(({ title }) => String(title));
			sent.push({ titles, key: String(this.req.headers['idempotency-key']) });
			return [status(), { results: titles.map(answer) }];
		})
		.persist();
}

const run = async (titles: unknown[], more: Partial<Parameters<typeof runNode>[0]> = {}) =>
	await runNode({
		nodeType: shelfNode(),
		parameters: { resource: 'shelf', operation: 'rename', title: '={{ $json.title }}' },
		items: titles.map((title) => ({ title }) as IDataObject),
		...more,
	});

afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

describe('an operation that sends one request for many items', () => {
	it('groups items in their order, and links each result to its item', async () => {
		const sent: Sent[] = [];
		shelves(sent, (title) => ({ id: `shelf_${title}` }));
		const { items } = await run(['a', 'b', 'c', 'd', 'e']);
		expect(sent.map(({ titles }) => titles).sort()).toEqual([
			['a', 'b', 'c'],
			['d', 'e'],
		]);
		expect(items).toEqual(
			['a', 'b', 'c', 'd', 'e'].map((title, item) => ({
				json: { id: `shelf_${title}` },
				pairedItem: { item },
			})),
		);
	});

	it('gives each request a key of its own', async () => {
		const sent: Sent[] = [];
		shelves(sent, (title) => ({ title }));
		await run(['a', 'b', 'c', 'd']);
		expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
	});

	it('goes on with Continue On Fail, and leaves out of requests what cannot be read', async () => {
		const sent: Sent[] = [];
		shelves(sent, (title) => (title === 'b' ? { error: 'is taken' } : { title }));
		const { items } = await run(['a', 'b', { no: 'text' }, 'c'], {
			onError: 'continueRegularOutput',
		});
		expect(sent.map(({ titles }) => titles)).toEqual([['a', 'b', 'c']]);
		expect(items.map(({ json }) => json.error ?? json.title)).toEqual([
			'a',
			'“Title” is taken',
			'“Title” must be text',
			'c',
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
	});

	it('asks again only for what failed when n8n runs the node again', async () => {
		const sent: Sent[] = [];
		let failures = 1;
		shelves(sent, (title) =>
			title === 'b' && failures-- > 0 ? { error: 'is locked' } : { title },
		);
		const { items, error } = await run(['a', 'b', 'c'], { retryOnFail: { maxTries: 2 } });
		expect(error).toBeUndefined();
		expect(sent.map(({ titles }) => titles)).toEqual([['a', 'b', 'c'], ['b']]);
		expect(items.map(({ json }) => json.title)).toEqual(['a', 'b', 'c']);
	});

	it('fails all items of a request that fails', async () => {
		const sent: Sent[] = [];
		shelves(
			sent,
			(title) => ({ title }),
			() => (sent.length === 1 ? 400 : 200),
		);
		const { items } = await run(['a', 'b', 'c', 'd'], {
			onError: 'continueRegularOutput',
			parameters: {
				resource: 'shelf',
				operation: 'rename',
				title: '={{ $json.title }}',
			},
		});
		expect(items.map(({ json }) => 'error' in json)).toEqual([true, true, true, false]);
	});
});
