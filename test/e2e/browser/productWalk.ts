import { apiClient } from '../../support/apiClient';
import type { TestEnvironment } from '../../support/environment/testEnvironment';
import type { Editor } from './editor';
import { Panel } from './panel';

/** n8n's editor moves panels and lists into place. */
const ANIMATION_MS = 1000;

/** What the walk saw, in the order in which it saw it. */
export interface Walk {
	created: Record<string, unknown>;
	/** The entry of the list by which the product was found. */
	label: string;
	updated: Record<string, unknown>;
	/** What the output panel said after the deletion. */
	deletion: string;
	/** What the platform answers for the product afterwards. */
	statusAfterwards: number;
}

const VARIANTS = [
	{
		sku: 'BOOT-40',
		title: 'Size 40',
		prices: [
			{ amount: '89.90', currency: 'EUR' },
			{ amount: '14500', currency: 'JPY' },
		],
	},
	{ sku: 'BOOT-41', title: 'Size 41', prices: [{ amount: '92.50', currency: 'EUR' }] },
];

/**
 * A new user's first product: made, found again in the list, given another title, deleted; all by mouse and
 * keyboard, from an empty workflow on.
 *
 * @param shoot takes a picture at each station
 */
export async function walkProduct(
	environment: TestEnvironment,
	editor: Editor,
	shoot: (name: string) => Promise<void>,
): Promise<Walk> {
	await chooseAction(environment, editor, shoot);
	const panel = new Panel(editor.page);
	await fillProduct(panel);
	await shoot('product-create');
	await panel.execute();
	await shoot('product-created');
	const created = await findProduct(environment, 'Walking boots');

	await panel.choose('operation', 'Update');
	const label = await panel.find('productId', 'walking', async () => await shoot('product-find'));
	await panel.add('Update Fields', 'Title');
	await panel.fill('title', 'Hiking boots');
	await panel.execute();
	await shoot('product-update');
	const updated = await findProduct(environment, 'Hiking boots');

	await panel.choose('operation', 'Delete');
	await panel.find('productId', 'hiking');
	const deletion = await panel.execute();
	await shoot('product-delete');
	const { status } = await apiClient(environment.platform).send(`/products/${String(created.id)}`);
	return { created, label, updated, deletion, statusAfterwards: status };
}

/** An empty workflow, a manual trigger, and the node's action from n8n's own list. */
async function chooseAction(
	environment: TestEnvironment,
	{ page }: Editor,
	shoot: (name: string) => Promise<void>,
): Promise<void> {
	const settle = async () => await page.waitForTimeout(ANIMATION_MS);
	await page.goto(`${environment.n8n.url}/workflow/new`);
	await page.getByTestId('canvas-add-button').first().click();
	await settle();
	await page.getByText('Trigger manually', { exact: true }).click();
	await settle();
	await page.getByTestId('canvas-handle-plus').first().click({ force: true });
	await page.getByTestId('node-creator-search-bar').fill('commerce');
	await settle();
	await page
		.getByTestId('node-creator-item-name')
		.filter({ hasText: 'Commerce Platform' })
		.first()
		.click();
	await settle();
	await shoot('actions');
	await page.getByText('Create a product', { exact: true }).first().click();
	await page.locator('#app-modals').getByTestId('ndv').waitFor();
	await settle();
}

async function fillProduct(panel: Panel): Promise<void> {
	await panel.fill('title', 'Walking boots');
	await panel.add('Additional Fields', 'Variants');
	let price = 0;
	for (const [index, { sku, title, prices }] of VARIANTS.entries()) {
		await panel.addRow('variants');
		await panel.fill('sku', sku, index);
		// The product's own title comes first.
		await panel.fill('title', title, index + 1);
		for (const { amount, currency } of prices) {
			await panel.addRow('prices', index);
			await panel.fill('amount', amount, price);
			await panel.fill('currency', currency, price);
			price++;
		}
	}
}

async function findProduct(
	environment: TestEnvironment,
	title: string,
): Promise<Record<string, unknown>> {
	const { data } = apiClient(environment.platform);
	const found = await data<Array<Record<string, unknown>>>(
		`/products?q=${encodeURIComponent(title)}`,
	);
	return found.find((product) => product.title === title) ?? {};
}
