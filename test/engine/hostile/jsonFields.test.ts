import fc from 'fast-check';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	CommercePlatform,
	resources,
} from '../../../nodes/CommercePlatform/CommercePlatform.node.ts';
import { CommercePlatformChangesTrigger } from '../../../nodes/CommercePlatformChangesTrigger/CommercePlatformChangesTrigger.node.ts';
import { CommercePlatformTrigger } from '../../../nodes/CommercePlatformTrigger/CommercePlatformTrigger.node.ts';
import { runOperation, stubApi } from '../../support/engine';
import { jsonTemplatesWith } from '../../support/jsonTemplates';
import { byId } from '../../support/parameters';

/** How a JSON field is sent. */
interface JsonField {
	/** The parameters with which it is sent. */
	with: (json: string) => IDataObject;
	/** What its object must have, beside drawn fields. */
	base?: Record<string, unknown>;
	/** It holds a list of objects. */
	isList?: true;
}

const rows = (name: string) => (json: string) => ({
	[name]: { field: [{ name: 'own', type: 'json', value: json }] },
});
const ORDER = { orderId: byId('ord_1') };
const CUSTOMER = { customerId: byId('cust_1') };
const PRODUCT = { base: { sku: 'A' } };
const VARIANTS = { base: { sku: 'S' }, isList: true } as const;
const variants = (json: string) => ({
	...{ sku: 'A', title: 'T', additionalFields: { variantsJson: json } },
});
const DEFINE_BELOW = { specifyFields: 'defineBelow' };

/** By operation and field. */
const FIELDS: Record<string, JsonField> = {
	'category.create fields': { with: (json) => ({ ...DEFINE_BELOW, ...rows('fields')(json) }) },
	'category.create json': { with: (json) => ({ specifyFields: 'json', json }) },
	'customer.create fields': { with: (json) => ({ ...DEFINE_BELOW, ...rows('fields')(json) }) },
	'customer.create json': { with: (json) => ({ specifyFields: 'json', json }) },
	'customer.update fields': {
		with: (json) => ({ ...CUSTOMER, ...DEFINE_BELOW, ...rows('fields')(json) }),
	},
	'customer.update json': { with: (json) => ({ ...CUSTOMER, specifyFields: 'json', json }) },
	'order.cancel otherFields': { with: (json) => ({ ...ORDER, ...rows('otherFields')(json) }) },
	'order.fulfill itemsJson': {
		with: (json) => ({ ...ORDER, specifyItems: 'json', itemsJson: json }),
		base: { line_item_id: 'li_1', quantity: 1 },
		isList: true,
	},
	'order.refund json': {
		with: (json) => ({ ...ORDER, extent: 'fields', json }),
		base: { amount: 500, currency: 'EUR', reason: 'small' },
	},
	'order.update otherFields': {
		with: (json) => ({ ...ORDER, updateFields: rows('otherFields')(json) }),
	},
	'order.update otherFieldsJson': {
		with: (json) => ({ ...ORDER, updateFields: { otherFieldsJson: json } }),
	},
	'product.create otherFields': {
		with: (json) => ({ title: 'T', additionalFields: rows('otherFields')(json) }),
	},
	'product.create variantsJson': {
		with: (json) => ({ title: 'T', additionalFields: { variantsJson: json } }),
		...VARIANTS,
	},
	'product.importCatalog jobBody': {
		with: (json) => ({ specifyProduct: 'jobBody', jobBody: json }),
	},
	'product.importCatalog productJson': {
		with: (json) => ({ specifyProduct: 'json', productJson: json }),
		...PRODUCT,
	},
	'product.importCatalog variantsJson': { with: variants, ...VARIANTS },
	'product.update otherFields': {
		with: (json) => ({ productId: byId('prod_1'), updateFields: rows('otherFields')(json) }),
	},
	'product.update variantsJson': {
		with: (json) => ({ productId: byId('prod_1'), updateFields: { variantsJson: json } }),
		...VARIANTS,
	},
	'product.upsert productJson': {
		with: (json) => ({ specifyProduct: 'json', productJson: json }),
		...PRODUCT,
	},
	'product.upsert variantsJson': { with: variants, ...VARIANTS },
};

/** All JSON fields of an operation, and its rows that have a type. */
function jsonFieldsIn(fields: readonly INodeProperties[], row?: string): string[] {
	return fields.flatMap((field) => {
		const inside = (field.options ?? []).flatMap((option) => {
			if ('values' in option) return jsonFieldsIn(option.values, field.name);
			return 'type' in option ? jsonFieldsIn([option]) : [];
		});
		const hasType =
			row !== undefined &&
			field.name === 'type' &&
			field.options?.some((option) => 'value' in option && option.value === 'json');
		return [...(field.type === 'json' ? [field.name] : []), ...(hasType ? [row] : []), ...inside];
	});
}

it('knows every JSON field of every operation, and no node has another', () => {
	const found = resources.flatMap(({ value, operations }) =>
		operations.flatMap(({ option, fields }) =>
			jsonFieldsIn(fields).map((name) => `${value}.${option.value} ${name}`),
		),
	);
	expect([...new Set(found)].sort()).toEqual(Object.keys(FIELDS).sort());
	const nodes = [CommercePlatform, CommercePlatformTrigger, CommercePlatformChangesTrigger];
	const ofNodes = nodes.flatMap((Node) => jsonFieldsIn(new Node().description.properties));
	const names = Object.keys(FIELDS).map((name) => name.split(' ')[1]);
	expect(ofNodes.filter((name) => !names.includes(name))).toEqual([]);
});

/** What an operation writes for one item. */
async function writes(name: string, parameters: IDataObject, item: IDataObject) {
	const variants = [{ sku: 'S' }, { sku: 'A' }];
	const sent = stubApi({
		'GET /products': [[200, { data: [{ id: 'prod_1', variants }] }]],
		'POST /products/batch': ({ body }) => {
			const { operations } = body as { operations: unknown[] };
			return [200, { results: operations.map((_, index) => ({ index, status: 200 })) }];
		},
		'*': ({ route }) => {
			const id = route.split('/')[2] ?? 'rec_1';
			return [200, { data: { id, status: 'paid', variants } }];
		},
	});
	const { error } = await runOperation(name.split(' ')[0], parameters, { items: [item] });
	const written = sent
		.filter(({ route }) => !route.startsWith('GET'))
		.map(({ route, body }) => ({ route, body }));
	return { written, error };
}

/** For each field; the grammar itself is drawn 4,000 times in jsonText.test.ts. `HOSTILE_VALUES=every` draws more. */
const RUNS = process.env.HOSTILE_VALUES === 'every' ? 40 : 8;

describe.each(Object.entries(FIELDS))('%s', (name, { with: parametersWith, base = {}, isList }) => {
	const meant = async (meaning: unknown) =>
		(await writes(name, parametersWith('={{ $json.meaning }}'), { meaning } as IDataObject))
			.written;

	it('sends what a template means, or nothing, whatever its expressions give', async () => {
		await fc.assert(
			fc.asyncProperty(jsonTemplatesWith(base, isList), async ({ text, texts, meaning }) => {
				const { written } = await writes(name, parametersWith(`=${text}`), { texts });
				if (written.length > 0) expect([meaning, written]).toEqual([meaning, await meant(meaning)]);
			}),
			{ numRuns: RUNS },
		);
	});

	it('sends a text in quotes, and any text by JSON.stringify', async () => {
		const own = '"a": "O\'{{ $json.a }} [x]", "b": {{ JSON.stringify($json.b) }}';
		const fields = [JSON.stringify(base).slice(1, -1), own].filter(Boolean).join();
		const [a, b] = ['Neil, {the} "a": 9'.replaceAll('"', "'"), 'say "a": 9, \\u0022\n}'];
		const parameters = parametersWith(isList ? `=[{${fields}}]` : `={${fields}}`);
		const { written } = await writes(name, parameters, { a, b });
		const meaning = { ...base, a: `O'${a} [x]`, b };
		expect(written).toEqual(await meant(isList ? [meaning] : meaning));
		expect(JSON.stringify(written)).toContain(JSON.stringify(b));
	});

	it.each(['x", "a": 9, "b": "x', 'x", "new": 1, "b": "x', 'x", "\\u0061": 9, "c": "x'])(
		'sends no text that has left its quotes: %s',
		async (text) => {
			const object = `{ "a": 5, "b": "{{ $json.text }}" }`;
			const parameters = parametersWith(isList ? `=[${object}]` : `=${object}`);
			const { written, error } = await writes(name, parameters, { text });
			expect(error?.message).toMatch(/twice in one object|left its quotes/);
			expect(written).toEqual([]);
		},
	);
});
