import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import execa from 'execa';
import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { createClient } from '../../../nodes/shared/api/client';
import { toNodeError } from '../../../nodes/shared/errors/nodeErrors';
import type { PlatformRequest, SendOptions } from '../../../nodes/shared/api/request';
import { runNode } from '../../support/engine/runNode';
import { API_KEY } from '../../support/testShop';
import { until } from '../../support/until';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let handler: Handler;
let keys = 0;

beforeAll(async () => {
	server = createServer((request, response) => handler(request, response));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
	server.closeAllConnections();
	server.close();
});

/** A node that sends one request through the client, with options that ours has no fields for. */
class ClientNode implements INodeType {
	constructor(
		private readonly request: PlatformRequest,
		private readonly options: Partial<SendOptions>,
	) {}

	description = {
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

	execute = executeClient(this);
	of() {
		return { request: this.request, options: this.options };
	}
}

function executeClient(node: ClientNode) {
	return async function (this: IExecuteFunctions) {
		const { request, options } = node.of();
		try {
			const client = await createClient(this, options);
			const { status, record = {}, headers, incomplete } = await client.request(request);
			return [[{ json: { status, record, etag: headers.etag, incomplete } }]];
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	};
}

async function send(
	answer: Handler,
	options: Partial<SendOptions> = {},
	request: PlatformRequest = { method: 'GET', path: '/orders/ord_1' },
	apiKey = `cpk_test_bounds_${keys++}`,
) {
	handler = answer;
	const { port } = server.address() as AddressInfo;
	return await runNode({
		parameters: {},
		credentials: { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey },
		nodeType: new ClientNode(request, { maxAttempts: 1, ...options }),
	});
}

const json = (response: ServerResponse, body: string | Buffer, headers = {}) => {
	response.writeHead(200, { 'content-type': 'application/json', ...headers });
	response.end(body);
};

describe('an answer that comes byte by byte', () => {
	it('ends at the deadline, and its connection is closed', async () => {
		let closed = false;
		const startedMs = performance.now();
		const { error } = await send(
			(request, response) => {
				request.socket.on('close', () => (closed = true));
				response.writeHead(200, { 'content-type': 'application/json' });
				const timer = setInterval(() => response.write(' '), 50);
				response.on('close', () => clearInterval(timer));
			},
			{ timeoutMs: 5_000, deadlineMs: 400 },
		);
		expect(error?.message).toBe('The platform did not answer in time');
		expect(performance.now() - startedMs).toBeLessThan(4_000);
		await until('the connection to close', 5_000, async () => (closed ? true : undefined));
	});

	it('keeps no slot from the requests that wait behind it', async () => {
		const answer: Handler = (request, response) => {
			if (request.url?.includes('fast')) return json(response, '{"data":{"id":"fast"}}');
			response.writeHead(200, { 'content-type': 'application/json' });
			const timer = setInterval(() => response.write(' '), 50);
			response.on('close', () => clearInterval(timer));
		};
		const options = { timeoutMs: 5_000, deadlineMs: 900, maxInFlight: 1 };
		const fast: PlatformRequest = { method: 'GET', path: '/orders/fast' };
		const [slow, quick] = await Promise.all([
			send(answer, options, undefined, 'cpk_test_one_slot'),
			send(answer, options, fast, 'cpk_test_one_slot'),
		]);
		expect(slow.error?.message).toBe('The platform did not answer in time');
		expect(quick.items[0].json.record).toEqual({ id: 'fast' });
	});

	it('ends when nothing comes any more', async () => {
		const { error } = await send(
			(_request, response) => {
				response.writeHead(200, { 'content-type': 'application/json' });
				response.write('{"data":');
			},
			{ timeoutMs: 500, deadlineMs: 60_000 },
		);
		expect(error?.message).toBe('The platform did not answer in time');
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
		const { error } = await send((_request, response) =>
			json(response, bomb, { 'content-encoding': 'gzip' }),
		);
		clearInterval(sampler);
		expect(error?.message).toBe('The platform’s answer is too large');
		expect(peak).toBeLessThan(120 * 1024 * 1024);
	});

	it.each([
		'a record of objects',
		'a list of records',
		'objects behind a long number',
		'nested lists',
	])('is no bomb once it is parsed: %s', async (name) => {
		const tsx = join(__dirname, '../../../node_modules/tsx/dist/cli.mjs');
		const { stdout } = await execa(process.execPath, [tsx, join(__dirname, 'bomb.ts'), name]);
		const lines = stdout.trim().split('\n');
		const figures = JSON.parse(lines[lines.length - 1]) as Record<string, number | string>;
		expect(figures.error).toBe('The platform’s answer is too large');
		expect(figures.peakMb).toBeLessThan(1_000);
		expect(figures.cpuMs).toBeLessThan(5_000);
	});

	it('is given up also where it never ends', async () => {
		let closed = false;
		const { error } = await send((_request, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			const chunk = Buffer.alloc(1024 * 1024, ' ');
			const more = () => {
				while (!closed && response.write(chunk));
			};
			response.on('drain', more);
			response.on('close', () => (closed = true));
			more();
		});
		expect(error?.message).toBe('The platform’s answer is too large');
		await until('the connection to close', 5_000, async () => (closed ? true : undefined));
	});

	it('is taken up to the bound, compressed or not', async () => {
		const body = JSON.stringify({ data: { id: 'x', text: 'é'.repeat(1_000_000) } });
		const compressed = await send((_request, response) =>
			json(response, gzipSync(body), { 'content-encoding': 'gzip' }),
		);
		expect((compressed.items[0].json.record as { text: string }).text).toHaveLength(1_000_000);
		const plain = await send((_request, response) => json(response, `\uFEFF${body}`));
		expect(plain.items[0].json).toEqual(compressed.items[0].json);
	});
});

describe('what an answer holds', () => {
	it('arrives with every digit', async () => {
		const { items } = await send((_request, response) =>
			json(response, '{"data":{"id":9007199254740993,"n":9007199254740991}}'),
		);
		expect(items[0].json.record).toEqual({ id: '9007199254740993', n: 9007199254740991 });
	});

	it('never holds the API key, not even in a record or an ETag', async () => {
		const { items } = await send(
			(_request, response) =>
				json(response, JSON.stringify({ data: { note: `your key ${API_KEY}` } }), {
					etag: `"${API_KEY}"`,
				}),
			{},
			undefined,
			API_KEY,
		);
		expect(items[0].json).toMatchObject({
			record: { note: 'your key [API key]' },
			etag: '"[API key]"',
		});
		expect(JSON.stringify(items)).not.toContain(API_KEY);
	});

	it('is not quoted in an error beyond a readable length, and never with a part of the key', async () => {
		const long = 'x'.repeat(490);
		const body = { code: 'C'.repeat(6_000_000), request_id: 'r'.repeat(9_999), message: '' };
		body.message = `${long} ${API_KEY}`;
		const { error, run } = await send(
			(_request, response) => {
				response.writeHead(400, { 'content-type': 'application/json' });
				response.end(JSON.stringify(body));
			},
			{},
			undefined,
			API_KEY,
		);
		expect(error?.description).toContain('[API key]');
		expect(JSON.stringify([error, error?.description])).not.toContain(API_KEY.slice(0, 8));
		expect(JSON.stringify(run).length).toBeLessThan(20_000);
	});

	it('is an error where its body says so, although its status says success', async () => {
		const { error } = await send((_request, response) =>
			json(response, '{"error":{"code":"NOT_FOUND","message":"no such order","request_id":"r1"}}'),
		);
		expect(error?.message).toBe('The platform answered with an error');
		expect(error?.description).toContain('no such order');
		expect(error?.description).toContain('(NOT_FOUND)');
		expect(error?.description).toContain('Request ID: r1');
	});
});

describe('a write that was answered with success', () => {
	const write: PlatformRequest = { method: 'POST', path: '/orders/ord_1/refunds', body: {} };

	it.each<[string, Handler]>([
		['an empty answer', (_request, response) => response.writeHead(201).end()],
		['204', (_request, response) => response.writeHead(204).end()],
		['a JSON text that is cut off', (_request, response) => json(response, '{"data":{"id"')],
		[
			'a connection that breaks in the middle of the answer',
			(_request, response) => {
				response.writeHead(201, { 'content-type': 'application/json', 'content-length': 99 });
				response.write('{"data":');
				setTimeout(() => response.destroy(), 20);
			},
		],
	])('is done after %s, and is not sent again', async (_name, answer) => {
		let requests = 0;
		const { items, error } = await send(
			(request, response) => {
				requests++;
				answer(request, response);
			},
			{ maxAttempts: 3 },
			write,
		);
		expect(error).toBeUndefined();
		expect(items[0].json.record).toEqual({});
		expect(requests).toBe(1);
	});
});
