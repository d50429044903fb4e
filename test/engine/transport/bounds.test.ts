import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { createClient } from '../../../nodes/shared/api/client';
import type { PlatformRequest, SendOptions } from '../../../nodes/shared/api/request';
import { toNodeError } from '../../../nodes/shared/errors/nodeErrors';
import { runNode } from '../../support/engine/runNode';
import { API_KEY } from '../../support/testShop';
import { until } from '../../support/until';

type Handler = (response: ServerResponse, request: IncomingMessage) => void;

const JSON_TYPE = { 'content-type': 'application/json' };
const GZIP = { 'content-encoding': 'gzip' };
const NOT_IN_TIME = 'The platform did not answer in time';
const TOO_LARGE = 'The platform’s answer is too large';

let server: Server;
let handler: Handler;
let keys = 0;

beforeAll(async () => {
	server = createServer((request, response) => handler(response, request));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
	server.closeAllConnections();
	server.close();
});

/** A node that sends one request through the client, with options that ours has no fields for. */
function clientNode(request: PlatformRequest, options: Partial<SendOptions>): INodeType {
	const description = {
		displayName: 'Client',
		name: 'client',
		group: ['input' as const],
		version: 1,
		description: '',
		defaults: { name: 'Client' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'commercePlatformApi', required: true }],
		properties: [],
	};
	async function execute(this: IExecuteFunctions) {
		try {
			const client = await createClient(this, options);
			const { record = {}, headers } = await client.request(request);
			return [[{ json: { record, etag: headers.etag } }]];
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	}
	return { description, execute };
}

async function send(
	answer: Handler,
	options: Partial<SendOptions> = {},
	request: PlatformRequest = { method: 'GET', path: '/orders/ord_1' },
	apiKey = `cpk_test_bounds_${keys++}`,
) {
	handler = answer;
	const { port } = server.address() as AddressInfo;
	const result = await runNode({
		parameters: {},
		credentials: { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey },
		nodeType: clientNode(request, { maxAttempts: 1, ...options }),
	});
	return { ...result, record: result.json[0]?.record as Record<string, unknown> | undefined };
}

const whole =
	(body: string | Buffer, headers = {}, status = 200): Handler =>
	(response) =>
		response.writeHead(status, { ...JSON_TYPE, ...headers }).end(body);

/** Begins an answer, and goes on with it by blanks; tells when its connection is closed. */
function endless(everyMs: number, length = 1) {
	const state = { isClosed: false };
	const answer: Handler = (response) => {
		response.writeHead(200, JSON_TYPE);
		const timer = setInterval(() => response.write(Buffer.alloc(length, ' ')), everyMs);
		response.on('close', () => {
			clearInterval(timer);
			state.isClosed = true;
		});
	};
	const closed = async () =>
		await until('the connection to close', 5_000, async () => state.isClosed || undefined);
	return { answer, closed };
}

describe('an answer that comes byte by byte', () => {
	it('ends at the deadline, and its connection is closed', async () => {
		const { answer, closed } = endless(50);
		const startedMs = performance.now();
		const { error } = await send(answer, { timeoutMs: 5_000, deadlineMs: 400 });
		expect(error?.message).toBe(NOT_IN_TIME);
		expect(performance.now() - startedMs).toBeLessThan(4_000);
		await closed();
	});

	it('ends when nothing comes any more', async () => {
		const begun: Handler = (response) => void response.writeHead(200, JSON_TYPE).write('{"data":');
		const { error } = await send(begun, { timeoutMs: 500, deadlineMs: 60_000 });
		expect(error?.message).toBe(NOT_IN_TIME);
	});
});

describe('an answer that is too large', () => {
	it('is given up at the bound, however little was sent for it', async () => {
		const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '), { level: 1 });
		let peak = 0;
		const before = process.memoryUsage().arrayBuffers;
		const sampler = setInterval(() => {
			peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
		}, 5);
		const { error } = await send(whole(bomb, GZIP));
		clearInterval(sampler);
		expect(error?.message).toBe(TOO_LARGE);
		expect(peak).toBeLessThan(120 * 1024 * 1024);
	});

	it('is given up also where it never ends', async () => {
		const { answer, closed } = endless(1, 4 * 1024 * 1024);
		expect((await send(answer)).error?.message).toBe(TOO_LARGE);
		await closed();
	});

	it('is taken up to the bound, compressed or not', async () => {
		const body = JSON.stringify({ data: { id: 'x', text: 'é'.repeat(1_000_000) } });
		const compressed = await send(whole(gzipSync(body), GZIP));
		expect(compressed.record?.text).toHaveLength(1_000_000);
		const plain = await send(whole(`\uFEFF${body}`));
		expect(plain.json).toEqual(compressed.json);
	});
});

describe('what an answer holds', () => {
	const withOwnKey = async (answer: Handler) => await send(answer, {}, undefined, API_KEY);

	it('arrives with every digit', async () => {
		const { record } = await send(whole('{"data":{"id":9007199254740993,"n":9007199254740991}}'));
		expect(record).toEqual({ id: '9007199254740993', n: 9007199254740991 });
	});

	it('never holds the API key, not even in a record or an ETag', async () => {
		const body = JSON.stringify({ data: { note: `your key ${API_KEY}` } });
		const { json } = await withOwnKey(whole(body, { etag: `"${API_KEY}"` }));
		expect(json).toEqual([{ record: { note: 'your key [API key]' }, etag: '"[API key]"' }]);
	});

	it('is not quoted in an error beyond a readable length, and never with a part of the key', async () => {
		const message = `${'x'.repeat(490)} ${API_KEY}`;
		const body = { code: 'C'.repeat(6_000_000), request_id: 'r'.repeat(9_999), message };
		const { error, run } = await withOwnKey(whole(JSON.stringify(body), {}, 400));
		expect(error?.description).toContain('[API key]');
		expect(JSON.stringify([error, error?.description])).not.toContain(API_KEY.slice(0, 8));
		expect(JSON.stringify(run).length).toBeLessThan(20_000);
	});
});

it.each<[string, Handler]>([
	['an empty answer', (response) => response.writeHead(201).end()],
	['a JSON text that is cut off', whole('{"data":{"id"')],
	[
		'a connection that breaks in the middle of the answer',
		(response) => {
			response.writeHead(201, { ...JSON_TYPE, 'content-length': 99 }).write('{"data":');
			setTimeout(() => response.destroy(), 20);
		},
	],
])('a write is done after %s, and is not sent again', async (_name, answer) => {
	const answers = jest.fn(answer);
	const write: PlatformRequest = { method: 'POST', path: '/orders/ord_1/refunds', body: {} };
	const { record, error } = await send(answers, { maxAttempts: 3 }, write);
	expect(error).toBeUndefined();
	expect(record).toEqual({});
	expect(answers).toHaveBeenCalledTimes(1);
});
