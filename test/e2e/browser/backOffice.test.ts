import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';

import type { Browser, Locator, Page } from 'playwright-core';

import { startPlatform, type Platform } from '../../../platform';
import type { Order } from '../../../platform/shop/order';
import { startReceiver, type Receiver } from '../../../platform/specs/receiver';
import { apiClient } from '../../../platform/support/apiClient';
import { until } from '../../../platform/support/until';
import { spoken, unclear } from './accessibility';
import { launchChromium } from './chromium';
import { faintTexts } from './contrast';

const VIEWS = ['orders', 'products', 'stock', 'deliveries', 'requests', 'faults', 'dialect'];
const PATIENCE_MS = 30_000;
const MOST_TABS = 80;
/** More requests than the live activity shows. */
const MORE_THAN_FIT = 25;
/** Longer than a colour transition takes, ms. */
const TRANSITION_MS = 500;

describe("the local platform's back office, in a real browser", () => {
	let platform: Platform;
	let receiver: Receiver;
	let browser: Browser;
	let page: Page;
	const problems: string[] = [];
	const answers: string[] = [];

	before(async () => {
		platform = await startPlatform({ plan: 'starter' });
		receiver = await startReceiver();
		browser = await launchChromium();
		page = await browser.newPage({ colorScheme: 'light' });
		page.setDefaultTimeout(PATIENCE_MS);
		page.on('pageerror', ({ message }) => problems.push(message));
		page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
		page.on('response', (response) => {
			response.text().then(
				(text) => answers.push(text),
				() => undefined,
			);
		});
	});
	after(async () => {
		await browser?.close();
		await receiver?.close();
		await platform?.close();
	});

	async function open(view: string): Promise<void> {
		await page.goto(`${platform.controlUrl}/#${view}`);
		await page.locator(`nav a[aria-current="page"][href="#${view}"]`).waitFor();
		await page.locator('main[aria-busy="false"]').waitFor();
	}

	const shown = async (text: string | RegExp, within: Page | Locator = page) =>
		await within.getByText(text).first().waitFor();

	/** Presses Tab until an element that matches has the focus. */
	async function tabTo(selector: string): Promise<Locator> {
		for (let n = 0; n < MOST_TABS; n++) {
			await page.keyboard.press('Tab');
			const focused = page.locator(`${selector}:focus`);
			if ((await focused.count()) > 0) return focused;
		}
		throw new Error(`${selector} was not reached by ${MOST_TABS} tabs.`);
	}

	it('says what to do where there is nothing yet', async () => {
		await open('deliveries');
		await shown('No endpoint is registered');
		await shown('No deliveries yet');
		await open('orders');
		await page.getByRole('button', { name: 'Place an order' }).click();
		await shown(/No endpoint is subscribed to order\.created/);
	});

	it('pays an order by keyboard, and shows the note that its receiver writes', async () => {
		const api = apiClient(platform);
		const description = 'n8n workflow 8sKx: Notes on orders';
		const body = { url: receiver.url, events: ['order.paid'], description };
		await api.data('/webhooks', { method: 'POST', body });
		await open('orders');
		const pay = await tabTo('button[data-act="pay"]');
		const outline = await pay.evaluate((button) => getComputedStyle(button).outlineStyle);
		assert.equal(outline, 'solid');
		const name = (await pay.getAttribute('aria-label'))?.replace('Pay order ', '') ?? '';
		await page.keyboard.press('Enter');
		await shown(`Order ${name} is paid. 1 delivery of order.paid sent.`);
		const [paid] = await api.data<Order[]>(`/orders?status=paid&sort=updated_at:desc`);
		await api.data(`/orders/${paid.id}`);
		const note = { merchant_note: 'Seen by its receiver' };
		await api.data(`/orders/${paid.id}`, { method: 'PATCH', body: note });
		const row = page.getByRole('row').filter({ hasText: name });
		await shown(note.merchant_note, row);
		assert.equal(await row.getByRole('button').count(), 0);
		const log = page.getByRole('log', { name: 'Live activity' });
		for (const what of ['order.paid', /GET \/orders\/ord_/, /PATCH \/orders\/ord_/]) {
			await shown(what, log);
		}
	});

	it('shows a delivery with its answer, and sends it once more', async () => {
		await open('deliveries');
		await page.getByText('Notes on orders', { exact: true }).waitFor();
		const row = page.getByRole('row').filter({ hasText: 'order.paid' });
		await shown('delivered', row);
		assert.equal(await row.getByText('200', { exact: true }).count(), 1);
		await row.getByRole('button', { name: /^Replay/ }).click();
		await shown('order.paid was delivered once more.');
		await row.getByText('200', { exact: true }).nth(1).waitFor();
		await row.getByText('Body and headers').click();
		await shown('"event": "order.paid"', row);
	});

	it('shows what is left of the budget', async () => {
		const meter = page.getByRole('meter', { name: 'Requests left this day' });
		const shownLeft = async (left: number) =>
			await until(
				`a meter of ${left}`,
				PATIENCE_MS,
				async () => Number(await meter.getAttribute('aria-valuenow')) === left,
			);
		const [{ day }] = await platform.control.budgets();
		await shownLeft(day.remaining);
		await apiClient(platform).send('/account');
		await shownLeft(day.remaining - 1);
		await shown(/of 100 left/);
	});

	it('has one scrollbar, and each budget on one line', async () => {
		const api = apiClient(platform);
		for (let n = 0; n < MORE_THAN_FIT; n++) await api.send('/products?limit=1');
		await platform.control.configure({ plan: 'enterprise' });
		await open('orders');
		await shown(/of 1,000,000 left/);
		const { areas, lines } = await page.evaluate(() => ({
			areas: Array.from(document.querySelectorAll('body *'))
				.filter((element) => element.scrollHeight > element.clientHeight + 1)
				.filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY))
				.map(({ className }) => className),
			lines: Array.from(document.querySelectorAll('.meter > span, .meter > b')).map(
				(text) => text.getClientRects()[0].height,
			),
		}));
		assert.deepEqual(areas, []);
		assert.equal(new Set(lines).size, 1);
		await platform.control.configure({ plan: 'starter' });
	});

	it('shows the requests as they come', async () => {
		await open('requests');
		const { baseUrl } = platform;
		await fetch(`${baseUrl}/products?q=as-they-come`);
		const row = page.getByRole('row').filter({ hasText: 'as-they-come' });
		await shown('401', row);
		await page.getByRole('button', { name: 'Pause' }).click();
		await page.getByRole('button', { name: 'Go on', pressed: true }).waitFor();
	});

	it('turns faults and settings on and off', async () => {
		const { control } = platform;
		await open('faults');
		const unavailable = page.getByRole('switch', { name: /^Unavailable/ });
		await unavailable.press('Space');
		const often = page.getByRole('combobox', { name: 'How often: Unavailable' });
		await often.selectOption('always');
		const set = [{ fault: 'status', status: 503, probability: 1 }];
		await until('the fault to be set', PATIENCE_MS, async () =>
			isDeepStrictEqual(await control.faults(), set),
		);
		await page.getByRole('button', { name: 'End all faults' }).click();
		await often.waitFor({ state: 'detached' });
		assert.deepEqual(await control.faults(), []);
		await page.getByRole('switch', { name: /^Product batches released/ }).press('Space');
		await page.getByLabel('Plan').selectOption('business');
		await shown(/of 300 left/);
		await until('both settings', PATIENCE_MS, async () => {
			const { settings } = await control.platform();
			return settings.plan === 'business' && settings.inDevelopment.batch;
		});
	});

	it('revokes the key and spends the day, as one switch each', async () => {
		const { control, baseUrl, apiKey } = platform;
		const statusNow = async () =>
			(await fetch(`${baseUrl}/account`, { headers: { authorization: `Bearer ${apiKey}` } })).status;
		await open('faults');
		for (const [name, status] of [
			['Key revoked', 401],
			['Day spent', 429],
		] as const) {
			await page.getByRole('switch', { name: new RegExp(`^${name}`) }).press('Space');
			await until(name, PATIENCE_MS, async () => (await statusNow()) === status);
			await page.getByRole('switch', { name: new RegExp(`^${name}`) }).press('Space');
			await until(`${name} to end`, PATIENCE_MS, async () => (await statusNow()) === 200);
		}
		assert.deepEqual(await control.faults(), []);
	});

	it('speaks another dialect', async () => {
		const { control } = platform;
		await open('dialect');
		await page.getByRole('searchbox').fill('signature');
		await page.getByLabel('signatureCase').selectOption('upper');
		await shown('signatureCase is upper now.');
		assert.equal((await control.dialect()).signatureCase, 'upper');
		await page.getByRole('button', { name: 'Default' }).click();
		await shown(/all at their default/);
		assert.equal((await control.dialect()).signatureCase, 'lower');
	});

	it('sets stock, and says why a quantity cannot be', async () => {
		await open('stock');
		const row = page.getByRole('row').nth(1);
		const [sku, location] = await row.locator('code').allInnerTexts();
		const record = async () => await platform.control.record('inventory', `${sku}@${location}`);
		const before = await record();
		await row.getByRole('spinbutton').fill('-1');
		await row.getByRole('button', { name: /^Set/ }).click();
		await shown('The quantity must be a whole number from 0.');
		assert.deepEqual(await record(), before);
		await row.getByRole('spinbutton').fill('4');
		await row.getByRole('spinbutton').press('Enter');
		await shown(`${sku} at ${location}: 4 in stock.`);
		assert.equal((await record())?.quantity, 4);
	});

	it('finds a product by its words', async () => {
		await open('products');
		const { records } = await platform.control.list({ kind: 'products', limit: 40 });
		const id = String(records.at(-1)?.id);
		await page.getByRole('searchbox').fill(id);
		await shown('1 shown');
		await shown(id);
	});

	it('has landmarks, one heading, and a name of its own for everything that can be used', async () => {
		for (const view of VIEWS) {
			await open(view);
			for (const role of ['banner', 'navigation', 'main', 'complementary'] as const) {
				assert.equal(await page.getByRole(role).count(), 1, `${role} of ${view}`);
			}
			assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, view);
			assert.equal(await page.locator('nav [aria-current="page"]').count(), 1, view);
			assert.deepEqual(unclear(await spoken(page)), [], view);
		}
	});

	it('can be read: every text stands out, in light and dark', async () => {
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme });
			for (const view of VIEWS) {
				await open(view);
				await page.waitForTimeout(TRANSITION_MS);
				assert.deepEqual(await faintTexts(page), [], `${view}, ${colorScheme}`);
			}
		}
		await page.emulateMedia({ colorScheme: 'light' });
	});

	it('is dark where the system is, and as its button says', async () => {
		const isDark = async () =>
			await page.evaluate(() => {
				const [red] = /\d+/.exec(getComputedStyle(document.body).backgroundColor) ?? [];
				return Number(red) < 100;
			});
		assert.equal(await isDark(), false);
		await page.emulateMedia({ colorScheme: 'dark' });
		assert.equal(await isDark(), true);
		await page.getByRole('button', { name: 'Switch to the light theme' }).click();
		assert.equal(await isDark(), false);
		await page.reload();
		assert.equal(await isDark(), false);
	});

	it('shows no secret in full, and nothing went wrong in the browser', async () => {
		const [endpoint] = await platform.control.endpoints();
		const secret = await platform.control.endpointSecret(endpoint.id);
		const seen = answers.join('\n');
		assert.ok(seen.includes(endpoint.url));
		assert.equal(seen.includes(platform.apiKey), false);
		assert.equal(seen.includes(secret), false);
		assert.deepEqual(problems, []);
	});

	it('says that the platform has ended, and goes on when it is back', async () => {
		await page.route('**/*', async (route) => await route.abort());
		const alert = page.getByRole('alert');
		await shown('The local platform does not answer. Is it still running?', alert);
		await page.unroute('**/*');
		await page.waitForFunction(() => document.querySelector('[role=alert]')?.textContent === '');
	});
});
