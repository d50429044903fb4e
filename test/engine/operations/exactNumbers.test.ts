import { byId, runOperation, stubApi } from '../../support/engine';

/** A whole number that JavaScript would round, in digits. */
const LONG = '12345678901234567890';
/** An answer with one product. */
const shown = (inside = '', beside = '', amount = '1999.0') =>
	`{"data":{"id":"prod_1","title":"Mug"${beside},"variants":[{"sku":"A"${inside},"prices":[{"amount":${amount},"currency":"EUR"}]}]}}`;

const prices = [{ amount: 2050, currency: 'EUR' }];
const update = async () =>
	await runOperation('product.update', {
		productId: byId('prod_1'),
		updateFields: { variantsJson: JSON.stringify([{ sku: 'A', prices }]) },
	});

it('a product whose own numbers JavaScript cannot hold is merged where they stand in fields that are not sent', async () => {
	const beside = `,"legacy":${LONG}`;
	const sent = stubApi({
		'GET *': [[200, shown(`,"barcode":"${LONG}1"`, beside)]],
		'PATCH *': [[200, shown('', beside)]],
	});
	const { error, json } = await update();
	expect(error).toBeUndefined();
	expect(sent[1].body).toEqual({ variants: [{ sku: 'A', barcode: `${LONG}1`, prices }] });
	expect(json[0]).toMatchObject({ legacy: LONG });
});

it('Set Prices says the price as it was, however the platform writes it', async () => {
	stubApi({
		'GET /products': [[200, shown().replace('{"data":', '{"data":[').replace(/}$/, ']}')]],
		'GET *': [[200, shown()]],
		'PATCH *': [[200, shown('', '', '2050.00')]],
	});
	const price = { sku: 'A', amount: '20.50', currency: 'EUR' };
	const options = { decimalAmounts: 'number' };
	const { json } = await runOperation('product.setPrices', { ...price, options });
	const previous = { amount: 1999, currency: 'EUR', decimal: 19.99 };
	expect(json).toMatchObject([{ amount: 2050, previous }]);
});
