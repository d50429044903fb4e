import { retryDelayMs } from '../../deliveries/schedule';
import { startReceiver, type Receiver } from '../receiver';
import { spokenPlatform, type Switches } from './spoken';
import { sign } from '../../../support/delivery';

const shop = spokenPlatform();
let receiver: Receiver;
beforeEach(async () => {
	receiver = await startReceiver();
});
afterEach(async () => await receiver.close());

type Endpoint = { id: string; url: string; status: string; secret: string; events: string[] };

const post = (url: string, events: string[]) => ({ method: 'POST', body: { url, events } });
const create = async (dialect: Switches, url = receiver.url, events = ['order.paid']) =>
	(await shop.json<{ data: Endpoint }>(dialect, '/webhooks', post(url, events))).data;

describe('webhookUrls', () => {
	it('are shown as sent or normalised', async () => {
		const url = 'HTTPS://R.example:443/hook/../a b';
		expect(await create({}, url)).toMatchObject({ url });
		expect(await create({ webhookUrls: 'normalised' }, url)).toMatchObject({
			url: 'https://r.example/a%20b',
		});
	});
});

describe('uniqueUrls', () => {
	it('may be repeated or not', async () => {
		const request = post('https://r.example/one', ['order.paid']);
		const unique = { uniqueUrls: 'refused' };
		expect((await shop.in(unique, '/webhooks', request)).status).toBe(201);
		expect((await shop.in(unique, '/webhooks', request)).status).toBe(409);
		expect((await shop.in({}, '/webhooks', request)).status).toBe(201);
	});
});

describe('endpointFields', () => {
	it('are complete, or sparse after the create', async () => {
		const sparse = { endpointFields: 'sparse' };
		const { id, ...made } = await create(sparse);
		expect(made).toMatchObject({ status: 'enabled', secret: expect.any(String) });
		const shown = { data: { id, url: made.url, events: made.events } };
		expect(await shop.json(sparse, `/webhooks/${id}`)).toEqual(shown);
		expect(await shop.json({}, `/webhooks/${id}`)).toMatchObject({ data: { status: 'enabled' } });
	});
});

describe('endpointStatus', () => {
	it.each([
		['enabled', 'enabled', 'disabled'],
		['active', 'ACTIVE', 'PAUSED'],
		['pending', 'pending', 'off'],
	])('has the words of %s', async (endpointStatus, on, off) => {
		const { id, status } = await create({ endpointStatus });
		expect(status).toBe(on);
		await shop.platform.control.setEndpointStatus(id, 'disabled');
		const { data } = await shop.json<{ data: Endpoint }>({ endpointStatus }, `/webhooks/${id}`);
		expect(data.status).toBe(off);
	});
});

describe('deleteTwice', () => {
	it('is refused or taken', async () => {
		const { id } = await create({});
		const remove = { method: 'DELETE' };
		expect((await shop.in({}, `/webhooks/${id}`, remove)).status).toBe(204);
		expect((await shop.in({}, `/webhooks/${id}`, remove)).status).toBe(404);
		const taken = { deleteTwice: 'taken' };
		expect((await shop.in(taken, `/webhooks/${id}`, remove)).status).toBe(204);
		expect((await shop.in(taken, '/products/prod_none', remove)).status).toBe(204);
	});
});

/** What the receiver gets of one paid order in a dialect. */
async function delivered(dialect: Switches) {
	const { secret } = await create(dialect);
	await shop.platform.control.payOrder();
	await shop.platform.control.settled();
	const { headers, body } = receiver.received[receiver.received.length - 1];
	return { secret, headers, body, hex: sign(body, secret) };
}

describe('secretForm', () => {
	it.each([
		['prefixed', /^whsec_[0-9a-f]{48}$/],
		['base64', /^\+\/[A-Za-z0-9+/]{40}=$/],
		['long', /^[0-9a-f]{128}$/],
	])('is %s, and signs deliveries', async (secretForm, form) => {
		const { secret, headers, hex } = await delivered({ secretForm });
		expect(secret).toMatch(form);
		expect(headers['x-shop-signature']).toBe(hex);
	});
});

describe('the headers of a delivery', () => {
	it('headerPrefix is X-Shop or a brand', async () => {
		const { headers, hex } = await delivered({ headerPrefix: 'brand' });
		expect(headers).toMatchObject({
			'x-northwind-signature': hex,
			'x-northwind-timestamp': expect.stringMatching(/^\d{10}$/),
			'x-northwind-delivery-id': expect.stringMatching(/^del_/),
			'x-northwind-event': 'order.paid',
		});
		expect(Object.keys(headers).join()).not.toContain('x-shop');
	});

	it('signatureCase is lower or upper', async () => {
		const { headers, hex } = await delivered({ signatureCase: 'upper' });
		expect(headers['x-shop-signature']).toBe(hex.toUpperCase());
	});

	it('deliveryType is plain or names its charset', async () => {
		const { headers } = await delivered({ deliveryType: 'charset' });
		expect(headers['content-type']).toBe('application/json; charset=utf-8');
	});
});

describe('deliveryTimes', () => {
	it.each([
		['milliseconds', /\.\d{3}Z$/],
		['seconds', /:\d\dZ$/],
		['zeroFraction', /\.000Z$/],
		['offset', /\.\d{3}\+00:00$/],
	])('are written with %s', async (deliveryTimes, form) => {
		const { body } = await delivered({ deliveryTimes });
		expect(JSON.parse(body.toString()).timestamp).toMatch(form);
	});
});

describe('payloads', () => {
	const payloadOf = async (payloads: string, event: string) => {
		await create({ payloads }, receiver.url, [event]);
		await shop.platform.control.emit(event, { id: 'x_1', status: 'y' });
		const [{ body }] = await shop.platform.control.deliveries({ event });
		return JSON.parse(body).payload;
	};

	it.each([
		['summary', { id: 'x_1', status: 'y' }],
		['idOnly', { id: 'x_1' }],
		['nested', { object: 'product', data: { id: 'x_1', status: 'y' } }],
	])('are %s', async (payloads, expected) => {
		expect(await payloadOf(payloads, 'product.updated')).toEqual(expected);
	});

	it('leave that of order.paid as the document shows it', async () => {
		const paid = { id: 'x_1', status: 'y' };
		expect(await payloadOf('nested', 'order.paid')).toEqual(paid);
	});
});

describe('retryTimestamp', () => {
	it.each([
		['attempt', 1],
		['first', 0],
	])('is that of the %s', async (retryTimestamp, least) => {
		receiver.script.push(500);
		await create({ retryTimestamp });
		await shop.platform.control.configure({ retryDelayFactor: 1_050 / 60_000 });
		await shop.platform.control.payOrder();
		await shop.platform.control.settled();
		const [first, second] = receiver.received.map(({ headers }) =>
			Number(headers['x-shop-timestamp']),
		);
		expect(Math.min(1, second - first)).toBe(least);
	});
});

describe('replayId', () => {
	it.each([
		['same', 1],
		['fresh', 2],
	])('is %s', async (replayId, ids) => {
		await create({ replayId });
		await shop.platform.control.payOrder();
		await shop.platform.control.settled();
		const [{ id }] = await shop.platform.control.deliveries();
		await shop.platform.control.replay(id);
		const seen = receiver.received.map(({ headers }) => headers['x-shop-delivery-id']);
		expect(seen).toHaveLength(2);
		expect(new Set(seen).size).toBe(ids);
	});
});

describe('retrySchedule', () => {
	it('is the five delays of the document, or a shorter one', async () => {
		expect([1, 2, 3, 4].map((failures) => retryDelayMs(failures, 1, 'short'))).toEqual([
			10_000,
			60_000,
			600_000,
			undefined,
		]);
		receiver.script.push(500, 500, 500, 500);
		await create({ retrySchedule: 'short' });
		await shop.platform.control.configure({ retryDelayFactor: 0.0001 });
		await shop.platform.control.payOrder();
		await shop.platform.control.settled();
		const [{ state, attempts }] = await shop.platform.control.deliveries();
		expect([state, attempts.length]).toEqual(['dead', 4]);
	});
});
