import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import nock from 'nock';

import type { CommercePlatformTrigger } from '../../../nodes/CommercePlatformTrigger/CommercePlatformTrigger.node';
import { forgetAddress } from '../../../nodes/CommercePlatformTrigger/memory/endpointMemory';
import { sign } from '../../support/delivery';
import { N8nLike, type Reception, type TriggerSetup } from './n8nLike';

const SECRET = 'secret of endpoint one';
const NEXT_SECRET = 'secret of endpoint two';
const API = 'http://127.0.0.1:4999';

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

/** The headers of a delivery whose id somebody took out. */
const withoutId = ({ headers }: { headers: Record<string, string> }) =>
	Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'x-shop-delivery-id'));

interface Sent {
	status: number;
	body: Record<string, unknown>;
}

/** A sender that holds a secret. */
function delivery(change: { event?: string; id?: string; secret?: string; body?: string } = {}) {
	const { event = 'order.paid', id = `del_${randomUUID()}`, secret = SECRET } = change;
	const body =
		change.body ??
		JSON.stringify({
			event,
			timestamp: '2026-11-21T12:00:00.250Z',
			payload: { id: randomUUID() },
		});
	return {
		body,
		headers: {
			'content-type': 'application/json',
			'x-shop-signature': sign(body, secret),
			'x-shop-timestamp': String(Math.floor(Date.now() / 1000)),
			'x-shop-delivery-id': id,
			'x-shop-event': event,
		} as Record<string, string>,
	};
}

describe('deliveries to an active trigger', () => {
	const open: N8nLike[] = [];
	let count = 0;

	beforeAll(() => {
		nock.disableNetConnect();
		nock.enableNetConnect(/127\.0\.0\.1/);
	});
	afterEach(async () => {
		for (const n8n of open.splice(0)) await n8n.close();
		nock.cleanAll();
	});
	afterAll(() => nock.restore());

	/** An active trigger and the address at which it serves. */
	async function active(setup: Partial<TriggerSetup> = {}, reception: Reception = {}) {
		const n8n = new N8nLike(
			{
				credentials: { baseUrl: `${API}/v1`, apiKey: 'key' },
				webhookId: `served-${++count}`,
				...setup,
			},
			reception,
		);
		await publish(n8n, SECRET);
		return await serving(n8n);
	}

	/** @param meanwhile happens when the endpoint is there, before n8n saves anything of it */
	async function publish(n8n: N8nLike, secret: string, meanwhile = async () => {}) {
		nock(API).get('/v1/webhooks').query(true).reply(200, page([]));
		nock(API)
			.get('/v1/webhooks')
			.query(true)
			.reply(async () => {
				await meanwhile();
				return [200, page([])];
			});
		nock(API)
			.post('/v1/webhooks')
			.reply(201, { data: { id: `wh_${secret}`, status: 'enabled', secret } });
		await n8n.create();
	}

	async function unpublish(n8n: N8nLike) {
		nock(API).get('/v1/webhooks').query(true).reply(200, page([]));
		await n8n.delete();
	}

	async function serving(n8n: N8nLike) {
		open.push(n8n);
		const url = await n8n.serve();
		const send = async ({ body, headers }: { body: string | Buffer; headers: object }) => {
			const init = {
				method: 'POST',
				body: new Uint8Array(Buffer.from(body)),
				headers: { ...headers },
			};
			const response = await fetch(url, init);
			const text = await response.text();
			return { status: response.status, body: JSON.parse(text) } as Sent;
		};
		return { n8n, send, url };
	}

	const page = (data: object[]) => ({
		data,
		pagination: { limit: 250, next_cursor: null, has_more: false },
	});

	/** n8n is started again over the same database. */
	async function restarted(n8n: N8nLike) {
		forgetAddress(n8n.address);
		return await serving(n8n.changed({}));
	}

	it('become one item each, and are answered with short JSON', async () => {
		const { n8n, send } = await active();
		const sent = delivery({ id: 'del_7' });
		expect(await send(sent)).toEqual({ status: 200, body: { received: true } });
		const { event, timestamp, payload } = JSON.parse(sent.body) as Record<string, unknown>;
		expect(n8n.executions).toEqual([{ event, timestamp, deliveryId: 'del_7', payload }]);
	});

	it('look as the options say', async () => {
		const options = { payloadOnly: true, includeHeaders: true };
		const { n8n, send } = await active({ parameters: { options } });
		await send(delivery({ id: 'del_8' }));
		expect(n8n.executions[0]).toEqual({
			id: expect.any(String),
			headers: expect.objectContaining({ 'x-shop-delivery-id': 'del_8' }),
		});
	});

	it('are taken under the header names of any brand', async () => {
		const { n8n, send } = await active();
		const { body, headers } = delivery({ id: 'del_9' });
		const branded = Object.entries(headers).map(
			([name, value]) => [name.replace('x-shop-', 'x-acme-'), value] as const,
		);
		expect((await send({ body, headers: Object.fromEntries(branded) })).status).toBe(200);
		expect(n8n.executions).toEqual([expect.objectContaining({ deliveryId: 'del_9' })]);
	});

	it('are taken under names that the user typed', async () => {
		const options = { otherEvents: 'order.returned' };
		const { n8n, send } = await active({ parameters: { options } });
		await send(delivery({ event: 'order.returned' }));
		expect(n8n.executions).toHaveLength(1);
	});

	it('of an event that is not selected are acknowledged and not executed', async () => {
		const { n8n, send } = await active();
		expect(await send(delivery({ event: 'order.created' }))).toEqual({
			status: 200,
			body: { received: true, executed: false, reason: 'event not selected' },
		});
		expect(n8n.executions).toEqual([]);
	});

	describe('that are not genuine', () => {
		it.each([
			['unsigned', { 'x-shop-signature': '' }, 401],
			['signed with another secret', { 'x-shop-signature': 'ab'.repeat(32) }, 401],
			['six minutes old', { 'x-shop-timestamp': String(Math.floor(Date.now() / 1000) - 360) }, 400],
			['without a time', { 'x-shop-timestamp': 'soon' }, 400],
		])('%s: refused, logged, not executed', async (_what, headers, status) => {
			const { n8n, send } = await active();
			const sent = delivery();
			const answer = await send({ ...sent, headers: { ...sent.headers, ...headers } });
			expect(answer).toEqual({ status, body: { received: false, reason: expect.any(String) } });
			expect(n8n.executions).toEqual([]);
			expect(n8n.warnings).toEqual([expect.stringContaining(String(answer.body.reason))]);
			expect(JSON.stringify([n8n.warnings, answer])).not.toContain(SECRET);
		});

		it('fail closed where no secret is held', async () => {
			const { n8n } = await active();
			n8n.database.staticData = '{}';
			const { send, n8n: after } = await restarted(n8n);
			expect(await send(delivery())).toMatchObject({
				status: 401,
				body: { reason: 'no secret held for this address' },
			});
			expect(after.executions).toEqual([]);
		});

		it('with state inherited from another workflow are refused', async () => {
			const { n8n } = await active();
			const copy = await serving(
				n8n.changed({ workflowId: 'workflow-2', webhookId: `served-${++count}` }),
			);
			expect((await copy.send(delivery())).status).toBe(401);
		});
	});

	it('that are refused again and again do not flood the log', async () => {
		const { n8n, send } = await active();
		const forged = delivery({ secret: 'not the secret' });
		await Promise.all(Array.from({ length: 50 }, async () => await send(forged)));
		expect(n8n.warnings.length).toBeLessThanOrEqual(20);
	});

	describe('with the content of an earlier one and another id', () => {
		const again = (sent: ReturnType<typeof delivery>, id: string) => ({
			...sent,
			headers: { ...sent.headers, 'x-shop-delivery-id': id },
		});
		const sameSecond = () =>
			delivery({
				body: '{"event":"order.paid","timestamp":"2026-11-21T12:00:00Z","payload":{"sku":"A"}}',
			});

		it('are both executed where the timestamp has whole seconds', async () => {
			const { n8n, send } = await active();
			const sent = sameSecond();
			await Promise.all([send(sent), send(again(sent, 'del_second'))]);
			await send(again(sent, 'del_third'));
			expect(n8n.executions).toHaveLength(3);
		});

		it.each(['automatic', 'always', 'never'])(
			'are executed once where the id was taken out on the way: %s',
			async (repeatsByContent) => {
				const { n8n, send } = await active({ parameters: { options: { repeatsByContent } } });
				const sent = sameSecond();
				await send(sent);
				const headers = withoutId(sent);
				expect((await send({ ...sent, headers })).body).toMatchObject({ executed: false });
				expect(n8n.executions).toHaveLength(1);
			},
		);

		it('are executed once where the id was taken out while the first is being received', async () => {
			const { n8n, send } = await active({}, { creationMs: 300 });
			const sent = sameSecond();
			const headers = withoutId(sent);
			const first = send(sent);
			await new Promise((resolve) => setTimeout(resolve, 100));
			await Promise.all([first, send({ ...sent, headers })]);
			expect(n8n.executions).toHaveLength(1);
		});

		it('are executed once where the user wants it so', async () => {
			const options = { repeatsByContent: 'always' };
			const { n8n, send } = await active({ parameters: { options } });
			const sent = sameSecond();
			await send(sent);
			expect((await send(again(sent, 'del_second'))).body).toMatchObject({ executed: false });
			expect(n8n.executions).toHaveLength(1);
		});

		it('are executed, whatever the timestamp says, where the user wants that', async () => {
			const options = { repeatsByContent: 'never' };
			const { n8n, send } = await active({ parameters: { options } });
			const sent = delivery();
			await send(sent);
			await send(again(sent, 'del_second'));
			expect(n8n.executions).toHaveLength(2);
			expect((await send(sent)).body).toMatchObject({ reason: 'seen before' });
		});
	});

	it.each([
		['before static data is saved', 'beforeSaving'],
		['after static data was saved', 'afterSaving'],
	] as const)(
		'whose sender hangs up %s are executed when they come again',
		async (_what, moment) => {
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
			expect(await send(sent)).toEqual({ status: 200, body: { received: true } });
			expect(n8n.executions).toHaveLength(3);
			expect((await send(sent)).body).toMatchObject({ reason: 'seen before' });
		},
	);

	it('to n8n before 2.8 are recognised over a restart, too', async () => {
		const { n8n, send } = await active({}, { answersFirst: true });
		const sent = Array.from({ length: 10 }, () => delivery());
		for (const one of sent) await send(one);
		const after = await restarted(n8n);
		for (const one of sent) expect((await after.send(one)).body).toMatchObject({ executed: false });
	});

	describe('that come twice', () => {
		it('are executed once, one after the other', async () => {
			const { n8n, send } = await active();
			const sent = delivery();
			await send(sent);
			expect(await send(sent)).toEqual({
				status: 200,
				body: { received: true, executed: false, reason: 'seen before' },
			});
			expect(n8n.executions).toHaveLength(1);
		});

		it('are executed once, all at once: the others wait for the first', async () => {
			const { n8n, send } = await active({}, { creationMs: 60 });
			const sent = delivery();
			const answers = await Promise.all(Array.from({ length: 20 }, async () => await send(sent)));
			expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
			expect(n8n.executions).toHaveLength(1);
		});

		it('are executed once under fresh headers, too', async () => {
			const { n8n, send } = await active();
			const sent = delivery();
			await send(sent);
			const replay = { ...sent, headers: { ...sent.headers, 'x-shop-delivery-id': 'del_fresh' } };
			expect((await send(replay)).body).toMatchObject({ executed: false });
			expect(n8n.executions).toHaveLength(1);
		});

		it('are executed once over a restart', async () => {
			const { n8n, send } = await active();
			const sent = Array.from({ length: 30 }, () => delivery());
			await Promise.all(sent.map(send));
			expect(n8n.executions).toHaveLength(30);
			const after = await restarted(n8n);
			for (const one of sent)
				expect((await after.send(one)).body).toMatchObject({ executed: false });
			expect(after.n8n.executions).toEqual([]);
		});

		it('are executed when the execution could not be created at first', async () => {
			let broken = true;
			const { n8n, send } = await active({}, { fails: () => broken });
			const sent = delivery();
			expect((await send(sent)).status).toBe(500);
			expect(n8n.database.staticData).not.toContain('seen":{"');
			broken = false;
			expect(await send(sent)).toEqual({ status: 200, body: { received: true } });
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
			await unpublish(n8n);
			const renamed = n8n.changed({ nodeName: 'Renamed' });
			await publish(renamed, NEXT_SECRET);
			const after = await restarted(renamed);
			expect((await after.send(sent)).body).toMatchObject({ reason: 'seen before' });
		});
	});

	describe('signed with a replaced secret', () => {
		const replaced = async (options: TriggerSetup['parameters'] = {}) => {
			const { n8n } = await active({ parameters: { options } });
			await unpublish(n8n);
			await publish(n8n, NEXT_SECRET);
			return await restarted(n8n);
		};

		it('are accepted for late retries, like those with the new one', async () => {
			const { n8n, send } = await replaced();
			expect((await send(delivery())).status).toBe(200);
			expect((await send(delivery({ secret: NEXT_SECRET }))).status).toBe(200);
			expect(n8n.executions).toHaveLength(2);
		});

		it('are refused at once where the option is off', async () => {
			const { n8n, send } = await replaced({ acceptPreviousSecret: false });
			expect((await send(delivery())).status).toBe(401);
			expect((await send(delivery({ secret: NEXT_SECRET }))).status).toBe(200);
			expect(n8n.executions).toHaveLength(1);
		});
	});

	it('to another process follow a node that was renamed after a restart: the old secret is dead', async () => {
		const options = { acceptPreviousSecret: false };
		const { n8n } = await active({ parameters: { options } });
		const processor = n8n.changed({ trigger: inAnotherProcess() });
		for (const secret of [SECRET, SECRET, SECRET]) {
			await unpublish(n8n);
			await publish(n8n, secret);
		}
		const { send } = await serving(processor);
		expect((await send(delivery())).body).toEqual({ received: true });
		await unpublish(n8n);
		forgetAddress(n8n.address);
		n8n.database.staticData = '{}';
		await publish(n8n.changed({ nodeName: 'Renamed' }), NEXT_SECRET);
		const after = await serving(
			n8n.changed({ nodeName: 'Renamed', trigger: processor.setup.trigger }),
		);
		expect((await after.send(delivery({ secret: NEXT_SECRET }))).status).toBe(200);
		expect((await after.send(delivery())).status).toBe(401);
		expect(after.n8n.executions).toHaveLength(1);
	});

	it('that are slow never write an old secret over a new one', async () => {
		const { n8n, send } = await active({}, { creationMs: 300 });
		const slow = send(delivery());
		await new Promise((resolve) => setTimeout(resolve, 100));
		await unpublish(n8n);
		await publish(n8n, NEXT_SECRET);
		await slow;
		const after = await restarted(n8n);
		expect((await after.send(delivery({ secret: NEXT_SECRET }))).status).toBe(200);
	});

	it('to another process, while the trigger is published, never overwrite the new endpoint', async () => {
		const { n8n } = await active({}, { creationMs: 300 });
		await unpublish(n8n);
		const processor = await serving(n8n.changed({ trigger: inAnotherProcess() }));
		const slow = processor.send(delivery());
		await new Promise((resolve) => setTimeout(resolve, 100));
		await publish(n8n, NEXT_SECRET);
		expect((await slow).status).toBe(200);
		expect((await processor.send(delivery({ secret: NEXT_SECRET }))).status).toBe(200);
	});

	it('that come in while the trigger is published are recognised over a restart', async () => {
		const { n8n, send } = await active();
		const sent = delivery({ secret: NEXT_SECRET });
		const arrive = async () => expect((await send(sent)).status).toBe(200);
		await publish(n8n, NEXT_SECRET, arrive);
		const after = await restarted(n8n);
		expect((await after.send(sent)).body).toMatchObject({ reason: 'seen before' });
	});

	it('with bytes that are no valid text are judged by their bytes', async () => {
		const { n8n, send } = await active();
		const body = Buffer.concat([
			Buffer.from('{"event":"order.paid","payload":"'),
			Buffer.from([0xff, 0xfe]),
			Buffer.from('"}'),
		]);
		const signature = sign(body, SECRET);
		const { headers } = delivery();
		expect(
			(await send({ body, headers: { ...headers, 'x-shop-signature': signature } })).status,
		).toBe(200);
		expect(n8n.executions).toHaveLength(1);
	});

	it('leave static data small: 2,000 of them under 40 kB', async () => {
		const { n8n, send } = await active({}, { creationMs: 1 });
		const all = Array.from({ length: 2000 }, () => delivery());
		for (let i = 0; i < all.length; i += 50) await Promise.all(all.slice(i, i + 50).map(send));
		expect(n8n.executions).toHaveLength(2000);
		expect(n8n.database.staticData.length).toBeLessThan(40_000);
		const after = await restarted(n8n);
		for (const one of all.slice(-60)) {
			expect((await after.send(one)).body).toMatchObject({ executed: false });
		}
	});
});
