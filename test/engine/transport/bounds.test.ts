import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

import type { IDataObject } from 'n8n-workflow';

import { runOperation } from '../../support/engine/runNode';
import { loopbackServer } from '../../../platform/support/loopbackServer';
import { byId } from '../../support/parameters';
import { API_KEY } from '../../support/testShop';
import { until } from '../../../platform/support/until';

type Handler = (response: ServerResponse) => void;

const JSON_TYPE = { 'content-type': 'application/json' };
const GZIP = { 'content-encoding': 'gzip' };

let server: Awaited<ReturnType<typeof loopbackServer>>;
let handler: Handler;

beforeAll(async () => {
	server = await loopbackServer((_request, response) => handler(response));
});

afterAll(async () => await server.close());

async function send(answer: Handler, operation = 'order.get', more: IDataObject = {}) {
	handler = answer;
	const credentials = { baseUrl: `http://${server.address}/v1`, apiKey: API_KEY };
	const parameters = {
		orderId: byId('ord_1'),
		simplify: false,
		requestOptions: { maxRetryWait: 0 },
	};
	return await runOperation(operation, { ...parameters, ...more }, { credentials });
}

const whole =
	(body: string | Buffer, headers = {}, status = 200): Handler =>
	(response) =>
		response.writeHead(status, { ...JSON_TYPE, ...headers }).end(body);

it('an answer ends when no more data arrives, and its connection is closed', async () => {
	let isClosed = false;
	const begun: Handler = (response) => {
		response.writeHead(200, JSON_TYPE).write('{"data":');
		response.on('close', () => (isClosed = true));
	};
	const { error } = await send(begun, 'order.get', {
		requestOptions: { timeout: 500, maxRetryWait: 0 },
	});
	expect(error?.message).toBe('The platform did not answer in time');
	await until('the connection to close', 5_000, async () => isClosed || undefined);
});

it('an answer that is too large is given up at the bound, however little was sent for it', async () => {
	const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '), { level: 1 });
	let peak = 0;
	const before = process.memoryUsage().arrayBuffers;
	const sampler = setInterval(() => {
		peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
	}, 5);
	const { error } = await send(whole(bomb, GZIP));
	clearInterval(sampler);
	expect(error?.message).toBe('The platform’s answer is too large (order id “ord_1”)');
	expect(peak).toBeLessThan(120 * 1024 * 1024);
});

describe('the content of an answer', () => {
	it('never holds the API key, not even in a record or an ETag', async () => {
		const answer = whole(`{"data":{"note":"your key ${API_KEY}"}}`, { etag: `"${API_KEY}"` });
		const { json } = await send(answer, 'order.get', { requestOptions: { includeMetadata: true } });
		expect(json).toMatchObject([{ note: 'your key [API key]', _meta: { etag: '"[API key]"' } }]);
	});

	it.each([
		['order.update', 'ord_1', { updateFields: { addToMerchantNote: 'packed' } }, 'merchant_note'],
		['webhook.recreate', 'wh_1', { webhookId: byId('wh_1') }, 'description'],
	])('is never written back without the key: %s', async (operation, id, more, field) => {
		const methods: Array<string | undefined> = [];
		const record = { id, url: 'https://example.com/a', events: ['order.paid'] };
		const answer = whole(JSON.stringify({ data: { ...record, [field]: `has ${API_KEY}` } }));
		const noting: Handler = (response) => {
			methods.push(response.req.method);
			answer(response);
		};
		const { error } = await send(noting, operation, more);
		expect(error?.message).toContain(`'${field}' holds “[API key]”`);
		expect(new Set(methods)).toEqual(new Set(['GET']));
	});

	it('is not quoted in an error beyond a readable length, and never with a part of the key', async () => {
		const message = `${'x'.repeat(490)} ${API_KEY}`;
		const body = { code: 'C'.repeat(150_000), request_id: 'r'.repeat(9_999), message };
		const { error, run } = await send(whole(JSON.stringify(body), {}, 400));
		expect(error?.description).toContain('[API key]');
		expect(JSON.stringify([error, error?.description])).not.toContain(API_KEY.slice(0, 8));
		expect(JSON.stringify(run).length).toBeLessThan(20_000);
	});

	it('of a web page is told by its title, and never with a part of the key', async () => {
		const page = `<html><title>${'x'.repeat(190)} ${API_KEY}</title></html>`;
		const { error, run } = await send(whole(page, { 'content-type': 'text/html' }, 403));
		expect(error?.description).toContain('The page is titled');
		expect(JSON.stringify([error?.description, run])).not.toContain(API_KEY.slice(0, 8));
	});

	it('is not read at all in an error that is far longer than any', async () => {
		const body = { code: 'C'.repeat(6_000_000), message: `No ${API_KEY}` };
		const { error, run } = await send(whole(JSON.stringify(body), {}, 400));
		expect(error?.message).toBe('The platform refused the request (HTTP 400) (order id “ord_1”)');
		expect(JSON.stringify(run)).not.toContain(API_KEY.slice(0, 8));
		expect(JSON.stringify(run).length).toBeLessThan(20_000);
	});
});

it('a write counts as done if the connection breaks in the middle of its answer, and is not sent again', async () => {
	const answers = jest.fn<void, [ServerResponse]>((response) => {
		response.writeHead(201, { ...JSON_TYPE, 'content-length': 99 }).write('{"data":');
		setTimeout(() => response.destroy(), 20);
	});
	const more = { updateFields: { merchant_note: 'x' }, requestOptions: { maxRetryWait: 60 } };
	const { json, error } = await send(answers, 'order.update', more);
	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ success: true }]);
	expect(answers).toHaveBeenCalledTimes(1);
});
