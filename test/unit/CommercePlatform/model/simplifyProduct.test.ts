import { product as resource } from '../../../../nodes/CommercePlatform/resources/product';
import type { EachOperation } from '../../../../nodes/CommercePlatform/run/operation';

const get = resource.operations.find(({ option }) => option.value === 'get') as EachOperation;
const simplifyProduct = get.simplify!;

describe('simplifyProduct', () => {
	const prices = [{ amount: 1999, currency: 'EUR', list: null }];
	const product = {
		id: 'prod_1',
		title: 'Shirt',
		handle: 'shirt',
		status: 'draft',
		variants: [{ sku: 'M', title: 'Medium', prices }],
		categories: ['cat_1'],
	};

	it('keeps what the API document names, but for the description', () => {
		const variants = product.variants.map((variant) => ({ ...variant, barcode: '4006' }));
		const whole = { ...product, variants, description: '<p>…</p>', seo: {}, created_at: 'x' };
		expect(simplifyProduct(whole)).toEqual(product);
	});

	it('makes nothing up where fields are missing, or are not as the document has them', () => {
		expect(simplifyProduct({ id: 'prod_1' })).toEqual({ id: 'prod_1' });
		const odd = { variants: ['M', null], categories: null };
		expect(simplifyProduct(odd)).toEqual(odd);
	});
});
