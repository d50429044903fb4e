import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../../support/parameters';
import { LIST_FILTERS, LIST_QUERY, type Case } from './case';
import {
	OWN_SKU,
	done,
	holds,
	identified,
	imported,
	prefixed,
	titled,
	variantSkus,
} from './expected';

const PRICES = {
	price: [
		{ amount: '19.99', currency: 'EUR' },
		{ amount: '2500', currency: 'JPY' },
	],
};

/** The same on the wire. */
const WRITTEN_VARIANT = {
	sku: 'NEW-V',
	title: 'New',
	prices: [
		{ amount: 1999, currency: 'EUR' },
		{ amount: 2500, currency: 'JPY' },
	],
};

export const productCases: Case[] = [
	{
		operation: 'product.getAll',
		parameters: ({ sku }) => ({
			returnAll: true,
			filters: { ...LIST_FILTERS, status: 'published', q: sku, sku },
		}),
		routes: ['GET /products'],
		query: ({ sku }) => ({ ...LIST_QUERY, status: 'published', q: sku, sku, limit: '250' }),
		item: () => ({ id: expect.stringMatching(/^prod_/), status: 'published' }),
		gives: prefixed('prod'),
	},
	{
		operation: 'product.get',
		parameters: ({ product }) => ({
			productId: byId(product),
			options: { decimalAmounts: 'number' },
		}),
		routes: ['GET /products/{id}'],
		gives: identified(({ product }) => product),
	},
	{
		operation: 'product.get',
		note: 'by its handle',
		parameters: ({ handle }) => ({ productId: { __rl: true, mode: 'handle', value: handle } }),
		routes: ['GET /products', 'GET /products/{id}'],
		item: ({ product, handle }) => ({ id: product, handle }),
	},
	{
		operation: 'product.create',
		parameters: ({ category }) => ({
			title: 'Linen shirt',
			additionalFields: {
				handle: 'linen-shirt',
				status: 'published',
				description: 'Light',
				categories: [category],
				variants: {
					variant: [
						{ sku: 'LS-M', title: 'M', prices: PRICES },
						{ sku: 'LS-L', title: '', prices: { price: [{ amount: '21', currency: 'eur' }] } },
					],
				},
			},
			options: { decimalAmounts: 'text' },
		}),
		routes: ['POST /products'],
		body: ({ category }) => ({
			title: 'Linen shirt',
			handle: 'linen-shirt',
			status: 'published',
			description: 'Light',
			categories: [category],
			variants: [
				{
					sku: 'LS-M',
					title: 'M',
					prices: [
						{ amount: 1999, currency: 'EUR' },
						{ amount: 2500, currency: 'JPY' },
					],
				},
				{ sku: 'LS-L', prices: [{ amount: 2100, currency: 'EUR' }] },
			],
		}),
		item: () => ({
			title: 'Linen shirt',
			variants: [
				{ sku: 'LS-M', prices: [{ amount: 1999, decimal: '19.99' }, { decimal: '2500' }] },
				{ sku: 'LS-L', prices: [{ amount: 2100, decimal: '21.00' }] },
			],
		}),
		gives: done(prefixed('prod')),
		changes: { effect: titled('Linen shirt'), becomes: () => ['Linen shirt'] },
		least: { title: 'T' },
	},
	{
		operation: 'product.create',
		note: 'with variants from JSON in minor units',
		parameters: () => ({
			title: 'Mug',
			additionalFields: {
				description: '',
				variantsJson: '[{ "sku": "MUG", "prices": [{ "amount": 1250, "currency": "KWD" }] }]',
			},
		}),
		routes: ['POST /products'],
		body: () => ({
			title: 'Mug',
			variants: [{ sku: 'MUG', prices: [{ amount: 1250, currency: 'KWD' }] }],
		}),
		item: () => ({ title: 'Mug' }),
		changes: {
			effect: imported('MUG'),
			becomes: () => ['Mug'],
		},
	},
	{
		operation: 'product.update',
		parameters: ({ product }) => ({
			productId: byId(product),
			updateFields: { title: 'New title', handle: '', categories: [] },
			clearFields: ['description'],
		}),
		routes: ['PATCH /products/{id}'],
		body: () => ({ title: 'New title', description: '' }),
		item: ({ product }) => ({ id: product, title: 'New title', description: '' }),
		gives: done(identified(({ product }) => product)),
		changes: {
			effect: async (shop, { product }) => await shop.record('products', product),
			becomes: () => expect.objectContaining({ title: 'New title', description: '' }),
		},
		least: { updateFields: { handle: 'h' }, writeVariants: 'replace' },
	},
	{
		operation: 'product.update',
		note: 'with a new variant beside those that are there',
		parameters: ({ product }) => ({
			productId: byId(product),
			updateFields: { variants: { variant: [{ sku: 'NEW-V', title: 'New', prices: PRICES }] } },
		}),
		routes: ['GET /products/{id}', 'PATCH /products/{id}'],
		item: ({ product }) => ({ id: product }),
		changes: {
			effect: variantSkus,
			becomes: () => expect.arrayContaining(['NEW-V', expect.stringMatching(/-1$/)]),
		},
	},
	{
		operation: 'product.update',
		note: 'with variants in place of all others',
		parameters: ({ product }) => ({
			productId: byId(product),
			writeVariants: 'replace',
			updateFields: { variants: { variant: [{ sku: 'NEW-V', title: 'New', prices: PRICES }] } },
		}),
		routes: ['PATCH /products/{id}'],
		body: () => ({ variants: [WRITTEN_VARIANT] }),
		item: ({ product }) => ({ id: product, variants: [WRITTEN_VARIANT] }),
		changes: {
			effect: variantSkus,
			becomes: () => ['NEW-V'],
		},
	},
	{
		operation: 'product.setPrices',
		parameters: ({ sku }) => ({ sku, amount: '12.34', currency: 'USD' }),
		routes: ['GET /products', 'GET /products/{id}', 'PATCH /products/{id}'],
		gives: (item, { sku }) => expect(item).toMatchObject({ sku, amount: 1234, currency: 'USD' }),
		changes: {
			effect: async (shop, { sku }) => {
				const [product] = await shop.plainList(`/products?sku=${sku}`);
				const variants = product.variants as Array<{ sku: string; prices: IDataObject[] }>;
				return variants.find((one) => one.sku === sku)?.prices;
			},
			becomes: () => expect.arrayContaining([{ amount: 1234, currency: 'USD' }]),
		},
		least: { sku: 'A', amount: '1', currency: 'EUR' },
	},
	{
		operation: 'product.upsert',
		parameters: ({ sku, category }) => ({
			specifyProduct: 'defineBelow',
			sku,
			title: 'Renamed',
			additionalFields: { status: 'published', description: '', categories: [category] },
			options: { decimalAmounts: 'number' },
		}),
		routes: ['POST /products/batch'],
		body: ({ sku, category }) => ({
			operations: [
				{ op: 'upsert', sku, title: 'Renamed', status: 'published', categories: [category] },
			],
		}),
		item: ({ sku }) => ({ sku, title: 'Renamed', result: 'updated' }),
		gives: (item) => expect(item).toMatchObject({ sku: expect.any(String) }),
		changes: { effect: titled('Renamed'), becomes: () => ['Renamed'] },
		// With something to write, so that Only If Changed does not leave it out.
		least: { sku: OWN_SKU, title: 'T' },
	},
	{
		operation: 'product.upsert',
		note: 'from JSON',
		parameters: () => ({
			specifyProduct: 'json',
			productJson:
				'{ "title": "Mug", "sku": "MUG", "prices": [{ "amount": 1250, "currency": "KWD" }] }',
		}),
		routes: ['POST /products/batch'],
		body: () => ({
			operations: [
				{ op: 'upsert', sku: 'MUG', title: 'Mug', prices: [{ amount: 1250, currency: 'KWD' }] },
			],
		}),
		item: () => ({ sku: 'MUG', title: 'Mug', result: 'created' }),
		changes: { effect: imported('MUG'), becomes: () => ['Mug'] },
	},
	{
		operation: 'product.importCatalog',
		parameters: () => ({ specifyProduct: 'defineBelow', sku: 'NEW-1', title: 'New' }),
		routes: ['POST /jobs/catalog-import'],
		body: () => ({ operations: [{ op: 'upsert', sku: 'NEW-1', title: 'New' }] }),
		item: () => ({ id: expect.stringMatching(/^job_/), total: 1 }),
		gives: holds(() => 'job_'),
		changes: { effect: imported('NEW-1'), becomes: () => ['New'] },
		least: { sku: OWN_SKU },
	},
	{
		operation: 'product.importCatalog',
		note: 'with a whole body',
		parameters: () => ({
			specifyProduct: 'jobBody',
			jobBody: '{ "operations": [{ "op": "upsert", "sku": "NEW-2", "title": "New" }] }',
		}),
		routes: ['POST /jobs/catalog-import'],
		body: () => ({ operations: [{ op: 'upsert', sku: 'NEW-2', title: 'New' }] }),
		item: () => ({ id: expect.stringMatching(/^job_/), total: 1 }),
		changes: { effect: imported('NEW-2'), becomes: () => ['New'] },
	},
	{
		operation: 'product.delete',
		parameters: ({ product }) => ({ productId: byId(product) }),
		routes: ['DELETE /products/{id}'],
		gives: (item, { product }) => expect(item).toMatchObject({ deleted: true, id: product }),
		changes: {
			effect: async (shop, { product }) => await shop.record('products', product),
			becomes: () => ({}),
		},
	},
];
