import { idsOf, type Page } from '../support/apiClient';
import { usePlatform } from './usePlatform';

const MILLION = 1_000_000;
const MEGABYTE = 1024 * 1024;

describe('a shop of a million products', () => {
	const { control, api } = usePlatform({
		products: MILLION,
		orders: 300_000,
		validate: false,
		minuteBudget: MILLION,
	});

	it('starts at once, with every record up to the last', async () => {
		expect(await control.records('products')).toEqual({ count: MILLION });
		const { json } = await api.send('/products?limit=3&sort=created_at:desc');
		const [last] = (json as Page).data;
		expect(last.handle).toMatch(/-999999$/);
		expect(await api.data(`/products/${String(last.id)}`)).toEqual(last);
		const [{ sku }] = last.variants as Array<{ sku: string }>;
		expect(await api.data(`/products?sku=${sku}`)).toEqual([last]);
		expect(await api.data(`/products?updated_since=${String(last.updated_at)}`)).toEqual([last]);
	});

	it('takes no more memory on later pages, and repeats no id', async () => {
		const ids = new Set<string>();
		let at = '';
		let before = 0;
		for (let n = 0; n < 200; n++) {
			if (n === 40) before = process.memoryUsage().heapUsed;
			const page = (await api.send(`/products?limit=250${at}`)).json as Page;
			for (const id of idsOf([page])) ids.add(id);
			at = `&cursor=${page.pagination.next_cursor}`;
		}
		expect(ids.size).toBe(50_000);
		expect((process.memoryUsage().heapUsed - before) / MEGABYTE).toBeLessThan(150);
	}, 20_000);
});
