import { byMode } from '../../../support/parameters';
import { idOf, LIST_FILTERS, OWN_SKU, SORT, casesOf } from './case';

const PRICES = {
	price: [
		{ amount: '19.99', currency: 'EUR' },
		{ amount: '2500', currency: 'JPY' },
	],
};

/** The same as it is sent. */
const WRITTEN_VARIANT = {
	sku: 'NEW-V',
	title: 'New',
	prices: [
		{ amount: 1999, currency: 'EUR' },
		{ amount: 2500, currency: 'JPY' },
	],
};

/** Made on demand: the editor's tests read the cases too, and have no `expect`. */
const keptVariant = () => expect.objectContaining({ sku: expect.stringMatching(/-1$/) }) as unknown;

export const productCases = casesOf({
	'product.getAll': {
		parameters: ({ sku }) => ({
			returnAll: true,
			filters: { ...LIST_FILTERS, status: 'published', q: sku, sku },
			options: { sort: SORT },
		}),
		item: idOf('prod'),
	},
	'product.get': {
		parameters: () => ({ options: { decimalAmounts: 'number' } }),
	},
	'product.get, by its handle': {
		parameters: ({ handle }) => ({ productId: byMode('handle', handle) }),
		routes: ['GET /products', 'GET /products/{id}'],
	},
	'product.create': {
		parameters: ({ category }) => ({
			title: 'Linen shirt',
			additionalFields: {
				handle: 'linen-shirt',
				status: 'published',
				description: 'Light',
				categories: `={{ " ${category}, " }}`,
				variants: {
					variant: [
						{ sku: 'LS-M', title: 'M', prices: PRICES },
						{ sku: 'LS-L', title: '', prices: { price: [{ amount: '21', currency: 'eur' }] } },
					],
				},
			},
		}),
		item: ({ category }) => ({
			title: 'Linen shirt',
			categories: [category],
			variants: [
				{ sku: 'LS-M', prices: [{ amount: 1999, decimal: 19.99 }, { decimal: 2500 }] },
				{ sku: 'LS-L', prices: [{ amount: 2100, decimal: 21 }] },
			],
		}),
		least: { title: 'T' },
	},
	'product.create, with one variant': {
		parameters: () => ({ title: 'Mug', sku: 'MUG-1', price: '12.50', currency: 'EUR' }),
		body: () => ({
			title: 'Mug',
			variants: [{ sku: 'MUG-1', prices: [{ amount: 1250, currency: 'EUR' }] }],
		}),
		item: () => ({
			title: 'Mug',
			variants: [{ sku: 'MUG-1', prices: [{ amount: 1250, currency: 'EUR', decimal: 12.5 }] }],
		}),
	},
	'product.update': {
		parameters: () => ({
			updateFields: {
				title: 'New title',
				handle: '',
				variants: { variant: [] },
				variantsJson: '[]',
			},
			clearFields: '={{ ["description", "categories"] }}',
		}),
		body: () => ({ title: 'New title', description: '', categories: [] }),
		least: { updateFields: { handle: 'h', writeVariants: 'replace' } },
	},
	'product.update, with a new variant beside those that are there': {
		parameters: () => ({
			updateFields: { variants: { variant: [{ sku: 'NEW-V', title: 'New', prices: PRICES }] } },
		}),
		routes: ['GET /products/{id}', 'PATCH /products/{id}'],
		body: () => ({ variants: expect.arrayContaining([keptVariant(), WRITTEN_VARIANT]) as unknown }),
	},
	'product.setPrices': {
		parameters: ({ sku }) => ({ sku: byMode('sku', sku), amount: '12.34', currency: 'USD' }),
		routes: ['GET /products', 'GET /products/{id}', 'PATCH /products/{id}'],
		item: ({ sku }) => ({ sku, price: 12.34, price_minor: 1234, currency: 'USD' }),
		least: { sku: byMode('sku', 'A'), amount: '1', currency: 'EUR' },
	},
	'product.upsert': {
		parameters: ({ sku, category }) => ({
			specifyProduct: 'defineBelow',
			sku,
			title: 'Renamed',
			additionalFields: { status: 'published', description: '', categories: [category] },
		}),
		item: ({ sku }) => ({ sku }),
		// It writes a title, so that Only If Changed does not leave it out.
		least: { sku: OWN_SKU, title: 'T' },
	},
	'product.importCatalog': {
		parameters: () => ({ specifyProduct: 'defineBelow', sku: 'NEW-1', title: 'New' }),
		item: (_fixtures, { jobStates }) =>
			jobStates === 'nested' ? { job: idOf('job')() } : idOf('job')(),
		least: { sku: OWN_SKU },
	},
	'product.delete': {},
});
