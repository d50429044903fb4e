import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Page } from '../support/apiClient';
import { asks, post, usePlatform } from './usePlatform';

const { control, api } = usePlatform({
	minuteBudget: 1_000_000,
	inDevelopment: { webhookUpdate: true },
});

/** By answer and request, the bodies. */
const REFUSED = parse(readFileSync(join(__dirname, 'refusals.yaml'), 'utf8')) as Record<
	string,
	Record<string, unknown[] | null>
>;

let names: Record<string, string>;
beforeAll(async () => {
	const { order: paid } = await control.payOrder();
	const { order: unpaid } = await control.createOrder();
	const hook = { url: 'https://receiver.example/hook', events: ['order.paid'] };
	const { id: webhook } = await api.data('/webhooks', post(hook));
	const [{ line_item_id: line, sku }] = paid.line_items;
	const { currency } = paid.total;
	const cursor = ((await api.send('/products?limit=1')).json as Page).pagination.next_cursor!;
	const ids = { paid: paid.id, unpaid: unpaid.id, webhook: String(webhook) };
	names = { ...ids, line, sku, currency, cursor };
});
const named = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => names[name]);

/** What refused requests might have changed. */
const present = async () => [
	await control.record('orders', names.paid),
	await control.record('orders', names.unpaid),
	await control.record('inventory', `${names.sku}@sloc_main`),
	await control.records('products'),
	await control.records('jobs'),
	await control.endpoints(),
];

it.each(
	Object.entries(REFUSED).flatMap(([answer, rows]) =>
		Object.entries(rows).flatMap(([request, bodies]) =>
			(bodies ?? [undefined]).map((body) => ({ answer, request, body: JSON.stringify(body) })),
		),
	),
)('$request $body is answered $answer and changes nothing', async ({ answer, request, body }) => {
	const before = await present();
	const [method, path] = named(request).split(' ');
	const sent = body === undefined ? undefined : (JSON.parse(named(body)) as object);
	expect(await api.refusal(path, asks(method)(sent))).toBe(answer);
	expect(await present()).toEqual(before);
});
