import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import nock from 'nock';

import { actionNode, runNode, type NodeRun } from '../../support/engine/runNode';
import { ORIGIN } from '../../support/testShop';

/** A list's way from n8n to the wire and back passes fewer files. */
const TOO_MANY_FILES = 28;

const ROOT = path.resolve(__dirname, '../../..');

/** What n8n does once, when it loads a package, is not part of the way. */
const nodeType = actionNode(false);
const list: NodeRun = {
	nodeType,
	parameters: { resource: 'product', operation: 'getAll', returnAll: true },
};

beforeAll(() => nock.disableNetConnect());
afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

/** Two pages, each asked for once. */
function serveTwoPages(): void {
	const page = (id: string, cursor: string | null) => ({
		data: [{ id }],
		pagination: { limit: 250, next_cursor: cursor, has_more: cursor !== null },
	});
	nock(ORIGIN)
		.get('/v1/products')
		.query(({ cursor }) => cursor === undefined)
		.reply(200, page('prd_1', 'c1'))
		.get('/v1/products')
		.query(({ cursor }) => cursor === 'c1')
		.reply(200, page('prd_2', null));
}

/** Files of the package of which any function ran during some work. */
async function filesPassed(work: () => Promise<void>): Promise<string[]> {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	await work();
	const { result } = await session.post('Profiler.takePreciseCoverage');
	session.disconnect();
	return result
		.filter(({ functions }) =>
			functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
		)
		.map(({ url }) => path.relative(ROOT, url.startsWith('file:') ? fileURLToPath(url) : url))
		.filter((file) => /^(nodes|credentials)\//.test(file))
		.sort();
}

describe('the way of a list', () => {
	it(`passes fewer than ${TOO_MANY_FILES} files, from n8n to the wire and back`, async () => {
		serveTwoPages();
		await runNode(list);
		serveTwoPages();
		const ids: unknown[] = [];
		const files = await filesPassed(async () => {
			const { items } = await runNode(list);
			ids.push(...items.map(({ json }) => json.id));
		});
		process.stdout.write(`A list passes ${files.length} files: ${files.join(', ')}\n`);
		expect(ids).toEqual(['prd_1', 'prd_2']);
		expect(files).toContain('nodes/CommercePlatform/engine/runItem.ts');
		expect(files.length).toBeLessThan(TOO_MANY_FILES);
	});
});
