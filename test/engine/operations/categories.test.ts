import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../support/parameters';
import { useShop } from './shop';

const { shop, fixtures } = useShop();

let categories: IDataObject[];
beforeEach(async () => {
	categories = await shop.list('/categories');
	await shop.control.resetCounters();
});

const nameOf = (index: number) => String(categories[index].name);
const idOf = (index: number) => String(categories[index].id);

type Way = [name: string, operation: string, parameters: () => IDataObject];

/** Each way in which the categories of a product are entered: an operation, and its parameters for one item. */
const WAYS: Way[] = [
	[
		'Create',
		'product.create',
		() => ({ title: 'Soap', additionalFields: { categories: '={{ $json.categories }}' } }),
	],
	[
		'Update',
		'product.update',
		() => ({
			productId: byId(fixtures.product),
			updateFields: { categories: '={{ $json.categories }}' },
		}),
	],
	...['upsert', 'importCatalog'].flatMap((operation): Way[] => [
		[
			`${operation}, Define Below`,
			`product.${operation}`,
			() => ({
				specifyProduct: 'defineBelow',
				sku: '={{ $json.sku }}',
				title: 'Soap',
				additionalFields: { categories: '={{ $json.categories }}' },
			}),
		],
		[
			`${operation}, Input Item`,
			`product.${operation}`,
			() => ({ specifyProduct: 'autoMapInputData' }),
		],
		[
			`${operation}, JSON`,
			`product.${operation}`,
			() => ({
				specifyProduct: 'json',
				productJson: '={{ { sku: $json.sku, title: "Soap", categories: $json.categories } }}',
			}),
		],
	]),
];

/** Runs an operation for rows of a sheet. */
const runRows = async (
	[, operation, parametersOf]: Way,
	rows: IDataObject[],
	parameters: IDataObject = {},
	more = {},
) =>
	await shop.run(
		operation,
		{ ...parametersOf(), ...parameters },
		{ items: rows.map((row, index) => ({ sku: `SOAP-${index}`, title: 'Soap', ...row })), ...more },
	);

/** The categories in all bodies that were written. */
async function writtenCategories(): Promise<unknown[]> {
	const bodies = (await shop.sent()).flatMap(({ body }) => (body ? [body] : []));
	return bodies.flatMap((body) => {
		const sent = (typeof body === 'string' ? JSON.parse(body) : body) as IDataObject;
		const { operations = [sent] }: { operations?: IDataObject[] } = sent;
		return operations.map((product) => product.categories);
	});
}

const categoryReads = async () =>
	(await shop.targets()).filter((target) => target.startsWith('GET /v1/categories')).length;

describe.each(WAYS)('categories of a product: %s', (...way) => {
	it('are named, and sent as IDs after one read', async () => {
		const rows = [{ categories: [nameOf(0)] }, { categories: [nameOf(1).toUpperCase(), idOf(0)] }];
		const { error } = await runRows(way, rows);
		expect(error).toBeUndefined();
		expect(await writtenCategories()).toEqual([[idOf(0)], [idOf(1), idOf(0)]]);
		expect(await categoryReads()).toBe(1);
	});

	it('are sent without a read if they are IDs', async () => {
		const { error } = await runRows(way, [{ categories: [idOf(1)] }]);
		expect(error).toBeUndefined();
		expect(await writtenCategories()).toEqual([[idOf(1)]]);
		expect(await categoryReads()).toBe(0);
	});

	it('are refused by name and row if there is no such category', async () => {
		const rows = [{ categories: [nameOf(0)] }, { categories: ['Beautie'] }];
		const { json, failures } = await runRows(way, rows, {}, { onError: 'continueRegularOutput' });
		expect(failures.map((failure) => failure?.message)).toEqual([
			undefined,
			'No category is called “Beautie”',
		]);
		expect(json[1].errorDetails).toMatchObject({ row: 2, code: 'notFound' });
		expect(await writtenCategories()).toEqual([[idOf(0)]]);
	});
});

it.each(WAYS.filter(([name]) => name !== 'Create'))(
	'categories are shown as IDs in a dry run, which writes nothing: %s',
	async (...way) => {
		const options = { dryRun: true };
		const { json, error } = await runRows(way, [{ categories: [nameOf(0)] }], { options });
		expect(error).toBeUndefined();
		expect(JSON.stringify(json)).not.toContain(`"${nameOf(0)}"`);
		expect((await shop.sent()).filter(({ method }) => method !== 'GET')).toEqual([]);
		expect(await categoryReads()).toBe(1);
	},
);

describe('a name', () => {
	const create = async (names: unknown) =>
		await shop.run('product.create', {
			title: 'Soap',
			additionalFields: { categories: `={{ ${JSON.stringify(names)} }}` },
		});

	it('that two categories have is refused with their IDs', async () => {
		const second = await shop.post('/categories', { name: nameOf(0) });
		const { error } = await create([nameOf(0)]);
		expect(error?.message).toBe(`2 categories are called “${nameOf(0)}”`);
		expect(error?.description).toContain(String(second.id));
		expect((await shop.targets()).filter((target) => target.startsWith('POST'))).toEqual([
			'POST /v1/categories',
		]);
	});

	it('may stand in a text with commas, as a cell of a sheet has it', async () => {
		const { error } = await create(`${nameOf(0)}, ${nameOf(2)}`);
		expect(error).toBeUndefined();
		expect(await writtenCategories()).toEqual([[idOf(0), idOf(2)]]);
	});

	it.each(['Rugs, Throws', ['Rugs, Throws'], 'rugs,throws', 'Rugs, Throws,cat_1'])(
		'may have a comma itself: %j',
		async (entered) => {
			const { id } = await shop.post('/categories', { name: 'Rugs, Throws' });
			await shop.control.resetCounters();
			await create(JSON.parse(JSON.stringify(entered).replace('cat_1', idOf(1))));
			const second = String(entered).endsWith('cat_1') ? [idOf(1)] : [];
			expect(await writtenCategories()).toEqual([[id, ...second]]);
		},
	);

	it('with a comma is refused as a text if its parts are names, too', async () => {
		await shop.post('/categories', { name: `${nameOf(0)}, ${nameOf(1)}` });
		await shop.control.resetCounters();
		const { error } = await create(`${nameOf(0)}, ${nameOf(1)}`);
		expect(error?.message).toContain('is the name of one category, and its parts are names');
		expect(await writtenCategories()).toEqual([]);
	});

	it.each([(names: string[]) => names, (names: string[]) => JSON.stringify(names)])(
		'with a comma is not meant by a list of its parts',
		async (enteredAs) => {
			const rugs = String((await shop.post('/categories', { name: 'Rugs' })).id);
			const throws = String((await shop.post('/categories', { name: 'Throws' })).id);
			await shop.post('/categories', { name: 'Rugs, Throws' });
			await shop.control.resetCounters();
			expect((await create(enteredAs(['Rugs', 'Throws']))).error).toBeUndefined();
			expect(await writtenCategories()).toEqual([[rugs, throws]]);
		},
	);

	it('with a comma is not put together from a list', async () => {
		await shop.post('/categories', { name: `${nameOf(0)}, Throws` });
		await shop.control.resetCounters();
		const { error } = await create([nameOf(0), 'Throws']);
		expect(error?.message).toBe('No category is called “Throws”');
		expect(await writtenCategories()).toEqual([]);
	});
});

it.each(WAYS.filter(([way]) => !way.endsWith('JSON')))(
	'%s: a text with commas divides into categories',
	async (...way) => {
		const { id } = await shop.post('/categories', { name: 'Rugs, Throws' });
		await shop.control.resetCounters();
		const categoryText = `${nameOf(0)}, rugs,Throws, ${idOf(1)}`;
		await runRows(way, [{ categories: categoryText }, { categories: `${idOf(0)},${idOf(2)}` }]);
		expect(await writtenCategories()).toEqual([
			[idOf(0), id, idOf(1)],
			[idOf(0), idOf(2)],
		]);
	},
);

it('that cannot be read are asked for once, and each row with a name fails', async () => {
	const { baseUrl } = shop.platform;
	const { apiKey } = await shop.control.createKey({ scopes: ['products.write'] });
	const rows = [nameOf(0), nameOf(1), idOf(2)].map((category) => ({ categories: [category] }));
	const more = { credentials: { baseUrl, apiKey }, onError: 'continueRegularOutput' };
	await shop.control.resetCounters();
	const { failures } = await runRows(WAYS[0], rows, {}, more);
	expect(failures.map((failure) => failure?.status)).toEqual([403, 403, undefined]);
	expect(await categoryReads()).toBe(1);
	expect(await writtenCategories()).toEqual([[idOf(2)]]);
});

it('Only If Changed compares a named category with the product’s', async () => {
	await shop.run('product.update', {
		productId: byId(fixtures.product),
		updateFields: { categories: [idOf(2)] },
	});
	const { json } = await shop.run('product.update', {
		productId: byId(fixtures.product),
		updateFields: { categories: `={{ [${JSON.stringify(nameOf(2))}] }}` },
		options: { onlyIfChanged: true },
	});
	expect(json).toMatchObject([{ id: fixtures.product, skipped: true }]);
});
