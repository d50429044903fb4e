import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

import type { CommercePlatformTrigger } from '../../../nodes/CommercePlatformTrigger/CommercePlatformTrigger.node';
import { forgetAddress } from '../../../nodes/CommercePlatformTrigger/memory/endpointMemory';
import { sign } from '../../support/delivery';
import { stubApi } from '../../support/engine/stubApi';
import { API_KEY, BASE_URL } from '../../support/testShop';
import { N8nLike, type Reception, type TriggerSetup } from './n8nLike';

const SECRET = 'secret of endpoint one';
const NEXT_SECRET = 'secret of endpoint two';
const DONE = { status: 200, body: { received: true } };
const notExecuted = (reason: string) => ({ received: true, executed: false, reason });
const SEEN = { executed: false, reason: 'seen before' };

interface Sent {
	body: string | Buffer;
	headers: Record<string, string>;
}

/** A delivery of a sender that holds a secret. */
function delivery(change: { event?: string; id?: string; secret?: string; body?: string } = {}) {
	const { event = 'order.paid', id = `del_${randomUUID()}`, secret = SECRET } = change;
	const content = { event, timestamp: '2026-11-21T12:00:00.250Z', payload: { id: randomUUID() } };
	const body = change.body ?? JSON.stringify(content);
	const headers: Record<string, string> = {
		'content-type': 'application/json',
		'x-shop-signature': sign(body, secret),
		'x-shop-timestamp': String(Math.floor(Date.now() / 1000)),
		'x-shop-delivery-id': id,
		'x-shop-event': event,
	};
	return { body, headers };
}

/** The same with other headers; without those that are undefined. */
const changed = ({ body, headers }: Sent, change: Record<string, string | undefined>): Sent => {
	const all = Object.entries({ ...headers, ...change });
	const kept = all.filter((one): one is [string, string] => one[1] !== undefined);
	return { body, headers: Object.fromEntries(kept) };
};
const underId = (sent: Sent, id?: string) => changed(sent, { 'x-shop-delivery-id': id });

const open: N8nLike[] = [];
let count = 0;

afterEach(async () => {
	for (const n8n of open.splice(0)) await n8n.close();
});

async function serving(n8n: N8nLike) {
	open.push(n8n);
	const url = await n8n.serve();
	const send = async ({ body, headers }: Sent) => {
		const bytes = new Uint8Array(Buffer.from(body));
		const response = await fetch(url, { method: 'POST', body: bytes, headers });
		return { status: response.status, body: (await response.json()) as Record<string, unknown> };
	};
	return { n8n, send, url };
}

/** @param meanwhile happens when the endpoint is there, before n8n saves anything of it */
async function publish(n8n: N8nLike, secret: string, meanwhile?: () => Promise<unknown>) {
	let asked = 0;
	stubApi({
		'GET /webhooks': async () => {
			if (++asked === 2) await meanwhile?.();
			return [200, { data: [], pagination: { next_cursor: null, has_more: false } }];
		},
		'POST /webhooks': [[201, { data: { id: `wh_${secret}`, status: 'enabled', secret } }]],
		'DELETE *': [[204]],
	});
	await n8n.create();
}

/** An active trigger and the address at which it serves. */
async function active(setup: Partial<TriggerSetup> = {}, reception: Reception = {}) {
	const credentials = { baseUrl: BASE_URL, apiKey: API_KEY };
	const address = { webhookBaseUrl: 'https://n8n.example/webhook', webhookId: `served-${++count}` };
	const n8n = new N8nLike({ credentials, ...address, ...setup }, reception);
	await publish(n8n, SECRET);
	return await serving(n8n);
}
const activeWith = async (options: Record<string, unknown>) =>
	await active({ parameters: { options } as TriggerSetup['parameters'] });

/** Published once more, by n8n as it is or changed. */
async function republish(n8n: N8nLike, secret = NEXT_SECRET, as = n8n) {
	await n8n.delete();
	await publish(as, secret);
}

/** n8n is started again over the same database. */
async function restarted(n8n: N8nLike) {
	forgetAddress(n8n.address);
	return await serving(n8n.changed({}));
}

/** The node as another process loads it: with a memory of its own. */
function inAnotherProcess(): CommercePlatformTrigger {
	let loaded: CommercePlatformTrigger | undefined;
	jest.isolateModules(() => {
		const { CommercePlatformTrigger: Loaded } =
			// eslint-disable-next-line @typescript-eslint/no-require-imports
			require('../../../nodes/CommercePlatformTrigger/CommercePlatformTrigger.node') as {
				CommercePlatformTrigger: new () => CommercePlatformTrigger;
			};
		loaded = new Loaded();
	});
	return loaded!;
}

describe('deliveries to an active trigger', () => {
	it('become one item each, and are answered with short JSON', async () => {
		const { n8n, send } = await active();
		const sent = delivery({ id: 'del_7' });
		expect(await send(sent)).toEqual(DONE);
		const { event, timestamp, payload } = JSON.parse(sent.body) as Record<string, unknown>;
		expect(n8n.executions).toEqual([{ event, timestamp, deliveryId: 'del_7', payload }]);
	});

	it('look as the options say', async () => {
		const { n8n, send } = await activeWith({ payloadOnly: true, includeHeaders: true });
		await send(delivery({ id: 'del_8' }));
		const headers = expect.objectContaining({ 'x-shop-delivery-id': 'del_8' }) as object;
		expect(n8n.executions).toEqual([{ id: expect.any(String), headers }]);
	});

	it('are taken under the header names of any brand', async () => {
		const { n8n, send } = await active();
		const { body, headers } = delivery({ id: 'del_9' });
		const branded = Object.entries(headers).map(([name, value]) => [
			name.replace('shop', 'acme'),
			value,
		]);
		expect(await send({ body, headers: Object.fromEntries(branded) as never })).toEqual(DONE);
		expect(n8n.executions).toMatchObject([{ deliveryId: 'del_9' }]);
	});

	it('are taken under names that the user typed', async () => {
		const { n8n, send } = await activeWith({ otherEvents: 'order.returned' });
		await send(delivery({ event: 'order.returned' }));
		expect(n8n.executions).toHaveLength(1);
	});

	it('of an event that is not selected are acknowledged and not executed', async () => {
		const { n8n, send } = await active();
		const answer = await send(delivery({ event: 'order.created' }));
		expect(answer).toEqual({ status: 200, body: notExecuted('event not selected') });
		expect(n8n.executions).toEqual([]);
	});

	it('with bytes that are no valid text are judged by their bytes', async () => {
		const { n8n, send } = await active();
		const body = Buffer.from('{"event":"order.paid","payload":"\xff\xfe"}', 'latin1');
		const signed = { 'x-shop-signature': sign(body, SECRET) };
		expect((await send({ ...changed(delivery(), signed), body })).status).toBe(200);
		expect(n8n.executions).toHaveLength(1);
	});
});

describe('deliveries that are not genuine', () => {
	const sixMinutesAgo = String(Math.floor(Date.now() / 1000) - 360);

	it.each([
		['unsigned', { 'x-shop-signature': '' }, 401],
		['signed with another secret', { 'x-shop-signature': 'ab'.repeat(32) }, 401],
		['six minutes old', { 'x-shop-timestamp': sixMinutesAgo }, 400],
		['without a time', { 'x-shop-timestamp': 'soon' }, 400],
	])('%s: refused, logged, not executed', async (_what, headers, status) => {
		const { n8n, send } = await active();
		const answer = await send(changed(delivery(), headers));
		expect(answer).toEqual({ status, body: { received: false, reason: expect.any(String) } });
		expect(n8n.executions).toEqual([]);
		expect(n8n.warnings).toEqual([expect.stringContaining(String(answer.body.reason))]);
		expect(JSON.stringify([n8n.warnings, answer])).not.toContain(SECRET);
	});

	it('are all where no secret is held', async () => {
		const { n8n } = await active();
		n8n.database.staticData = '{}';
		const { send, n8n: after } = await restarted(n8n);
		const { status, body } = await send(delivery());
		expect([status, body.reason]).toEqual([401, 'no secret held for this address']);
		expect(after.executions).toEqual([]);
	});

	it('are all to a trigger with state inherited from another workflow', async () => {
		const { n8n } = await active();
		const copy = n8n.changed({ workflowId: 'workflow-2', webhookId: `served-${++count}` });
		const { send } = await serving(copy);
		expect((await send(delivery())).status).toBe(401);
	});

	it('do not flood the log when they are refused again and again', async () => {
		const { n8n, send } = await active();
		const forged = delivery({ secret: 'not the secret' });
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

describe('deliveries with the content of an earlier one and another id', () => {
	const sameSecond = () =>
		delivery({
			body: '{"event":"order.paid","timestamp":"2026-11-21T12:00:00Z","payload":{"sku":"A"}}',
		});

	it('are all executed where the timestamp has whole seconds', async () => {
		const { n8n, send } = await active();
		const sent = sameSecond();
		await Promise.all([send(sent), send(underId(sent, 'del_second'))]);
		await send(underId(sent, 'del_third'));
		expect(n8n.executions).toHaveLength(3);
	});

	it.each(['automatic', 'always', 'never'])(
		'are executed once where the id was taken out on the way: %s',
		async (repeatsByContent) => {
			const { n8n, send } = await activeWith({ repeatsByContent });
			const sent = sameSecond();
			await send(sent);
			expect((await send(underId(sent))).body).toMatchObject({ executed: false });
			expect(n8n.executions).toHaveLength(1);
		},
	);

	it('are executed once where the id was taken out while the first is being received', async () => {
		const { n8n, send } = await active({}, { creationMs: 300 });
		const sent = sameSecond();
		const first = send(sent);
		await wait(100);
		await Promise.all([first, send(underId(sent))]);
		expect(n8n.executions).toHaveLength(1);
	});

	it.each([
		['once where the user wants it so', 'always', sameSecond, 1],
		['whatever the timestamp says, where the user wants that', 'never', delivery, 2],
		['once where the timestamp tells them apart', 'automatic', delivery, 1],
	])('are executed %s', async (_how, repeatsByContent, make, executions) => {
		const { n8n, send } = await activeWith({ repeatsByContent });
		const sent = make();
		await send(sent);
		await send(underId(sent, 'del_second'));
		expect((await send(sent)).body).toMatchObject(SEEN);
		expect(n8n.executions).toHaveLength(executions);
	});
});

describe('deliveries that come twice', () => {
	it('are executed once, one after the other', async () => {
		const { n8n, send } = await active();
		const sent = delivery();
		await send(sent);
		expect(await send(sent)).toEqual({ status: 200, body: notExecuted('seen before') });
		expect(n8n.executions).toHaveLength(1);
	});

	it('are executed once, all at once: the others wait for the first', async () => {
		const { n8n, send } = await active({}, { creationMs: 60 });
		const sent = delivery();
		const answers = await Promise.all(Array.from({ length: 20 }, async () => await send(sent)));
		expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
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
		for (const one of sent) expect((await after.send(one)).body).toMatchObject({ executed: false });
		expect(after.n8n.executions).toEqual([]);
	});

	it('are executed when the execution could not be created at first', async () => {
		let broken = true;
		const { n8n, send } = await active({}, { fails: () => broken });
		const sent = delivery();
		expect((await send(sent)).status).toBe(500);
		expect(n8n.database.staticData).not.toContain('seen":{"');
		broken = false;
		expect(await send(sent)).toEqual(DONE);
		expect(n8n.executions).toHaveLength(1);
	});

	it('are executed by the second when the first fails while it waits', async () => {
		let failures = 1;
		const { n8n, send } = await active({}, { creationMs: 100, fails: () => failures-- > 0 });
		const sent = delivery();
		const answers = await Promise.all([send(sent), send(sent)]);
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 500]);
		expect(n8n.executions).toHaveLength(1);
	});

	it('are recognised when the node was renamed in between', async () => {
		const { n8n, send } = await active();
		const sent = delivery();
		await send(sent);
		const renamed = n8n.changed({ nodeName: 'Renamed' });
		await republish(n8n, NEXT_SECRET, renamed);
		const after = await restarted(renamed);
		expect((await after.send(sent)).body).toMatchObject(SEEN);
	});

	it('are recognised over a restart when the first came in while the trigger was published', async () => {
		const { n8n, send } = await active();
		const sent = delivery({ secret: NEXT_SECRET });
		await publish(n8n, NEXT_SECRET, async () => expect((await send(sent)).status).toBe(200));
		const after = await restarted(n8n);
		expect((await after.send(sent)).body).toMatchObject(SEEN);
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
			expect((await send(sent)).body).toMatchObject(SEEN);
		},
	);

	it('leave static data small: 2,000 of them under 40 kB', async () => {
		const { n8n, send } = await active({}, { creationMs: 1 });
		const all = Array.from({ length: 2000 }, () => delivery());
		for (let i = 0; i < all.length; i += 50) await Promise.all(all.slice(i, i + 50).map(send));
		expect(n8n.executions).toHaveLength(2000);
		expect(n8n.database.staticData.length).toBeLessThan(40_000);
		const after = await restarted(n8n);
		for (const one of all.slice(-60))
			expect((await after.send(one)).body).toMatchObject({ executed: false });
	});
});

describe('deliveries signed with a replaced secret', () => {
	it.each([
		['are accepted for late retries, like those with the new one', true, true, 200],
		['are refused at once where the option is off', false, false, 401],
		['are refused once the option is switched off', true, false, 401],
	])('%s', async (_what, isKept, isAccepted, status) => {
		const optionsWith = (acceptPreviousSecret: boolean) => ({ options: { acceptPreviousSecret } });
		const { n8n: before } = await active({ parameters: optionsWith(isKept) });
		await republish(before);
		const { n8n, send } = await restarted(before.changed({ parameters: optionsWith(isAccepted) }));
		expect((await send(delivery())).status).toBe(status);
		expect((await send(delivery({ secret: NEXT_SECRET }))).status).toBe(200);
		expect(n8n.executions).toHaveLength(status === 200 ? 2 : 1);
	});

	it('are refused by another process that follows a node that was renamed after a restart', async () => {
		const { n8n } = await activeWith({ acceptPreviousSecret: false });
		const trigger = inAnotherProcess();
		for (let times = 0; times < 3; times++) await republish(n8n, SECRET);
		const { send } = await serving(n8n.changed({ trigger }));
		expect(await send(delivery())).toEqual(DONE);
		await n8n.delete();
		forgetAddress(n8n.address);
		n8n.database.staticData = '{}';
		const renamed = n8n.changed({ nodeName: 'Renamed' });
		await publish(renamed, NEXT_SECRET);
		const after = await serving(renamed.changed({ trigger }));
		expect((await after.send(delivery({ secret: NEXT_SECRET }))).status).toBe(200);
		expect((await after.send(delivery())).status).toBe(401);
		expect(after.n8n.executions).toHaveLength(1);
	});

	it('never write an old secret over a new one, though they are slow', async () => {
		const { n8n, send } = await active({}, { creationMs: 300 });
		const slow = send(delivery());
		await wait(100);
		await republish(n8n);
		await slow;
		const after = await restarted(n8n);
		expect((await after.send(delivery({ secret: NEXT_SECRET }))).status).toBe(200);
	});

	it('never overwrite the new endpoint from another process, while the trigger is published', async () => {
		const { n8n } = await active({}, { creationMs: 300 });
		await n8n.delete();
		const processor = await serving(n8n.changed({ trigger: inAnotherProcess() }));
		const slow = processor.send(delivery());
		await wait(100);
		await publish(n8n, NEXT_SECRET);
		expect((await slow).status).toBe(200);
		expect((await processor.send(delivery({ secret: NEXT_SECRET }))).status).toBe(200);
	});
});
