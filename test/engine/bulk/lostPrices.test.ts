import type { IDataObject } from 'n8n-workflow';

import { byMode, onlyPage, runOperation, stubApi, writesIn } from '../../support/engine';

const OLD = { amount: 1999, currency: 'EUR' };

/** A shop whose answer to the first write is lost after it was done, or that does not do it. */
function shop({ isDone, hasTags }: { isDone: boolean; hasTags: boolean }) {
	let version = 1;
	let isFirst = true;
	let product: IDataObject = { id: 'prod_1', title: 'A', variants: [{ sku: 'A', prices: [OLD] }] };
	const sent = stubApi({
		'GET /products': () => onlyPage([product]),
		'GET /products/*': () => [
			200,
			{ data: product },
			hasTags ? { ETag: `"${version}"` } : undefined,
		],
		'PATCH *': ({ headers, body }) => {
			if (hasTags && String(headers['if-match']) !== `"${version}"`)
				return [412, { error: { code: 'PRECONDITION_FAILED' } }];
			const isLost = isFirst;
			isFirst = false;
			if (isLost && !isDone) return 'ECONNRESET';
			product = { ...product, ...(body as IDataObject) };
			version++;
			return isLost ? 'ECONNRESET' : [200, { data: product }];
		},
	});
	return { sent, prices: () => (product.variants as IDataObject[])[0].prices };
}

const PARAMETERS = { sku: byMode('sku', 'A'), amount: '9.99', currency: 'EUR' };

it('a price whose answer was lost is read and written again, for the version that it has then', async () => {
	const { sent, prices } = shop({ isDone: true, hasTags: true });
	const { error } = await runOperation('product.setPrices', PARAMETERS);
	expect(error).toBeUndefined();
	expect(prices()).toEqual([{ amount: 999, currency: 'EUR' }]);
	const versions = writesIn(sent).map(({ headers }) => String(headers['if-match']));
	expect(versions).toEqual(['"1"', '"1"', '"2"']);
});

describe.each([true, false])(
	'after a try whose answer was lost, Only If Changed: %s',
	(onlyIfChanged) => {
		const run = async (isDone: boolean) => {
			const { prices } = shop({ isDone, hasTags: false });
			const { error, json, hint } = await runOperation(
				'product.setPrices',
				{ ...PARAMETERS, options: { onlyIfChanged }, requestOptions: { maxRetryWait: 0 } },
				{ retryOnFail: { maxTries: 2, waitBetweenTries: 1 } },
			);
			expect(error).toBeUndefined();
			expect(prices()).toEqual([{ amount: 999, currency: 'EUR' }]);
			expect(json).toMatchObject([{ sku: 'A', price: 9.99 }]);
			expect(json[0]).not.toHaveProperty('skipped');
			return { result: json[0], hint };
		};

		it('the new price is not given as the previous one', async () => {
			const { result, hint } = await run(true);
			expect(result).not.toHaveProperty('previous');
			expect(hint).toContain('An earlier try may have set some prices');
			expect(hint).not.toContain('were so already');
		});

		it('the previous one is given if nothing was written', async () => {
			const { result, hint } = await run(false);
			expect(result).toMatchObject({ previous: 19.99 });
			expect(hint).not.toContain('An earlier try');
		});
	},
);
