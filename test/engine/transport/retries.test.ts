import {
	BASE_URL,
	byId,
	type NodeRun,
	runOperation,
	type StubAnswer,
	stubApi,
	withLeastWaits,
} from '../../support/engine';

withLeastWaits();

const FOUND: StubAnswer = [200, { data: { id: 'ord_1' } }];
const CUT_OFF: StubAnswer = [200, '{"data":{"id"', { 'content-type': 'application/json' }];
const orderId = byId('ord_1');

const get = async (
	answers: StubAnswer[],
	apiKey: string,
	more?: Partial<NodeRun>,
	requestOptions = {},
) => {
	const sent = stubApi({ 'GET /orders/ord_1': answers });
	const credentials = { baseUrl: BASE_URL, apiKey };
	const result = await runOperation(
		'order.get',
		{ orderId, requestOptions },
		{ credentials, ...more },
	);
	return { ...result, sent };
};

it.each<[StubAnswer]>([
	...[408, 429, 500, 502, 503, 504].map((status): [StubAnswer] => [[status, {}]]),
	...['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EAI_AGAIN'].map((code): [StubAnswer] => [code]),
	[CUT_OFF],
])('tries again after %j', async (answer) => {
	const { error, json, sent } = await get([answer, FOUND], 'retried');
	expect(error).toBeUndefined();
	expect(json).toEqual([{ id: 'ord_1' }]);
	expect(sent).toHaveLength(2);
});

it('sends the same Idempotency-Key and the same bytes on every attempt', async () => {
	const sent = stubApi({ 'PATCH *': [[503], [503], [503], FOUND] });
	const updateFields = { merchant_note: 'Hi' };
	const { error } = await runOperation('order.update', { orderId, updateFields });
	expect(error).toBeUndefined();
	const seen = sent.map(({ headers, text }) => `${headers['idempotency-key']} ${text}`);
	expect(seen).toEqual(Array(4).fill(seen[0]));
});

it.each<[string, Record<string, string>, string]>([
	['rate-limited', {}, 'is rate limiting this API key'],
	[
		'quota-exhausted',
		{ 'x-ratelimit-limit-day': '9', 'x-ratelimit-remaining-day': '0' },
		'spent for today',
	],
])('fails at once as %s, and says when it can go on', async (cause, day, said) => {
	const { error, sent } = await get([[429, {}, { 'retry-after': '90000', ...day }]], cause);
	expect(error?.failure).toMatchObject({ cause, retryAfterMs: 90_000_000 });
	expect(error?.message).toContain(said);
	expect(error?.description).toMatch(/It can go on in 25 h \(\S+ \d\d:\d\d America\/New_York\)/);
	expect(sent).toHaveLength(1);
});

it('stops cleanly to keep a share of the day’s budget', async () => {
	const answers = ['20', '19'].map((left): StubAnswer => {
		return [200, FOUND[1], { 'x-ratelimit-limit-day': '100', 'x-ratelimit-remaining-day': left }];
	});
	const requestOptions = { keepDailyBudget: 20, maxRequestsAtOnce: 1 };
	const { error, sent } = await get(answers, 'keeps-some', { items: [{}, {}, {}] }, requestOptions);
	expect(error?.failure).toMatchObject({ cause: 'quota-exhausted' });
	expect(error?.description).toContain('2 of 3 items were done');
	expect(sent).toHaveLength(2);
});

it('ends every wait at once when the execution is cancelled', async () => {
	const startedMs = Date.now();
	const onStart: NodeRun['onStart'] = ({ cancel }) => void setTimeout(cancel, 150);
	const waiting = get([[429, {}, { 'retry-after': '60' }]], 'cancelled', { onStart });
	await waiting.catch(() => undefined);
	expect(Date.now() - startedMs).toBeLessThan(10_000);
});
