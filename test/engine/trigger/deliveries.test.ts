import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

import { forgetAddress } from '../../../nodes/CommercePlatformTrigger/memory/endpointMemory';
import { newDeliveryId, sign, timestampOf } from '../../support/delivery';
import { API_KEY, BASE_URL, type StubAnswer, stubApi } from '../../support/engine';
import { N8nLike, type Reception } from './n8nLike';

const SECRET = 'secret of the endpoint';
const DONE = { status: 200, body: { received: true } };
const notExecuted = (reason: string) => ({
	status: 200,
	body: { received: true, executed: false, reason },
});
const SEEN = notExecuted('seen before');

interface Sent {
	body: string;
	headers: Record<string, string>;
}

/** Headers by their names; without those that are undefined. */
type Headers = Record<string, string | undefined>;

/** A genuine delivery, with other headers where they are given. */
function delivery(event = 'order.paid', headers: Headers = {}, seconds = '00.250'): Sent {
	const timestamp = `2026-11-21T12:00:${seconds}Z`;
	const body = JSON.stringify({ event, timestamp, payload: { id: randomUUID() } });
	const genuine = {
		'content-type': 'application/json',
		'x-shop-signature': sign(body, SECRET),
		'x-shop-timestamp': timestampOf(Date.now()),
		'x-shop-delivery-id': newDeliveryId(),
		'x-shop-event': event,
	};
	return changed({ body, headers: genuine }, headers);
}

/** The same delivery with other headers. */
function changed({ body, headers }: Sent, change: Headers): Sent {
	const all = Object.entries({ ...headers, ...change });
	const kept = all.filter((one): one is [string, string] => one[1] !== undefined);
	return { body, headers: Object.fromEntries(kept) };
}

const SHOP: Record<string, StubAnswer[]> = {
	'GET /webhooks': [[200, { data: [] }]],
	'POST /webhooks': [[201, { data: { id: 'wh_1', status: 'enabled', secret: SECRET } }]],
};

const open: N8nLike[] = [];
let count = 0;

afterEach(async () => {
	for (const n8n of open.splice(0)) await n8n.close();
});

async function serving(n8n: N8nLike) {
	open.push(n8n);
	const url = await n8n.serve();
	const send = async (sent: Sent) => {
		const response = await fetch(url, { method: 'POST', ...sent });
		return { status: response.status, body: (await response.json()) as Record<string, unknown> };
	};
	return { n8n, send, url };
}

/** An active trigger and the address at which it serves. */
async function active(options: Record<string, unknown> = {}, reception: Reception = {}) {
	const setup = {
		credentials: { baseUrl: BASE_URL, apiKey: API_KEY },
		webhookBaseUrl: 'https://n8n.example/webhook',
		webhookId: `served-${++count}`,
		parameters: { options: options as object },
	};
	const n8n = new N8nLike(setup, reception);
	stubApi(SHOP);
	await n8n.create();
	return await serving(n8n);
}

/** n8n is started again over the same database. */
async function restarted(n8n: N8nLike) {
	forgetAddress(n8n.address);
	return await serving(n8n.changed({}));
}

it('deliveries to an active trigger become one item each, and are answered with short JSON', async () => {
	const { n8n, send } = await active();
	const sent = delivery('order.paid', { 'x-shop-delivery-id': 'del_7' });
	expect(await send(sent)).toEqual(DONE);
	const { event, timestamp, payload } = JSON.parse(sent.body) as Record<string, unknown>;
	expect(n8n.executions).toEqual([{ event, timestamp, deliveryId: 'del_7', payload }]);
});

describe('deliveries that are not genuine', () => {
	const sixMinutesAgo = timestampOf(Date.now() - 360_000);

	it.each([
		['unsigned', { 'x-shop-signature': '' }, 401],
		['signed with another secret', { 'x-shop-signature': 'ab'.repeat(32) }, 401],
		['six minutes old', { 'x-shop-timestamp': sixMinutesAgo }, 400],
		['without a time', { 'x-shop-timestamp': 'soon' }, 400],
	])('%s: refused, logged, not executed', async (_what, headers, status) => {
		const { n8n, send } = await active();
		const answer = await send(delivery('order.paid', headers));
		expect(answer).toEqual({ status, body: { received: false, reason: expect.any(String) } });
		expect(n8n.executions).toEqual([]);
		expect(n8n.warnings).toEqual([expect.stringContaining(String(answer.body.reason))]);
		expect(JSON.stringify([n8n.warnings, answer])).not.toContain(SECRET);
	});

	it('are all to a trigger with state inherited from another workflow', async () => {
		const { n8n } = await active();
		const copy = n8n.changed({ workflowId: 'workflow-2', webhookId: `served-${++count}` });
		const { send } = await serving(copy);
		const { status, body } = await send(delivery());
		expect([status, body.reason]).toEqual([401, 'no secret held for this address']);
	});

	it('do not flood the log when they are refused again and again', async () => {
		const { n8n, send } = await active();
		const forged = delivery('order.paid', { 'x-shop-signature': 'ab'.repeat(32) });
		const nowMs = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(nowMs);
		await Promise.all(Array.from({ length: 50 }, async () => await send(forged)));
		expect(n8n.warnings).toHaveLength(10);
		clock.mockReturnValue(nowMs + 60_000);
		await send(forged);
		clock.mockRestore();
		const sum = `refused 40 more deliveries since ${new Date(nowMs).toISOString()}`;
		expect(n8n.warnings.slice(10)).toEqual([
			expect.stringContaining(sum),
			expect.stringContaining('refused a delivery: signature does not match'),
		]);
	});
});

it.each([
	['once where the timestamp tells them apart', 'automatic', '00.250', 1],
	['each where it has whole seconds', 'automatic', '00', 2],
	['once where the user wants it so', 'always', '00', 1],
	['each where the user wants that', 'never', '00.250', 2],
])(
	'deliveries with the content of an earlier one and another id are executed %s',
	async (_how, repeatsByContent, seconds, executions) => {
		const { n8n, send } = await active({ repeatsByContent });
		const sent = delivery('order.paid', {}, seconds);
		await send(sent);
		await send(changed(sent, { 'x-shop-delivery-id': 'del_second' }));
		expect(n8n.executions).toHaveLength(executions);
		const withoutId = await send(changed(sent, { 'x-shop-delivery-id': undefined }));
		expect(withoutId).toEqual(SEEN);
	},
);

describe('deliveries that come twice', () => {
	it('are executed once, all at once: the others wait for the first', async () => {
		const { n8n, send } = await active({}, { creationMs: 60 });
		const sent = delivery();
		const answers = await Promise.all(Array.from({ length: 20 }, async () => await send(sent)));
		expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
		expect(await send(sent)).toEqual(SEEN);
		expect(n8n.executions).toHaveLength(1);
	});

	it.each([
		['over a restart', {}],
		['over a restart, to n8n before 2.8', { answersFirst: true }],
	])('are executed once %s', async (_when, reception) => {
		const { n8n, send } = await active({}, reception);
		const sent = Array.from({ length: 10 }, () => delivery());
		for (const one of sent) expect(await send(one)).toEqual(DONE);
		const after = await restarted(n8n);
		for (const one of sent) expect(await after.send(one)).toEqual(SEEN);
	});

	it('are recognised over a restart when the first came in while the trigger was published', async () => {
		const { n8n, send } = await active();
		const sent = delivery();
		let lists = 0;
		const list = async (): Promise<StubAnswer> => {
			if (++lists === 2) expect(await send(sent)).toEqual(DONE);
			return [200, { data: [] }];
		};
		stubApi({ ...SHOP, 'GET /webhooks': list });
		await n8n.create();
		const after = await restarted(n8n);
		expect(await after.send(sent)).toEqual(SEEN);
	});

	it.each(['beforeSaving', 'afterSaving'] as const)(
		'are executed again where the sender of the first hung up: %s of static data',
		async (moment) => {
			const abort = new AbortController();
			let first = true;
			const hangUp = async (answer: ServerResponse) => {
				if (!first) return;
				first = false;
				abort.abort();
				await once(answer, 'close');
			};
			const { n8n, send, url } = await active({}, { [moment]: hangUp });
			const sent = delivery();
			const sending = fetch(url, { method: 'POST', ...sent, signal: abort.signal });
			await expect(sending).rejects.toThrow('aborted');
			// Another delivery makes the process load what has been saved.
			await send(delivery());
			expect(await send(sent)).toEqual(DONE);
			expect(n8n.executions).toHaveLength(3);
			expect(await send(sent)).toEqual(SEEN);
		},
	);
});
