import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { resources } from '../../../nodes/CommercePlatform/resources';
import { runOperation, stubApi } from '../../support/engine';
import { byId } from '../../support/parameters';

/** A text that leaves its quotes: it writes a field again, and a new one. */
const ATTACK = 'x", "a": 9, "new": 1, "b": "x';
const OBJECT = '={ "a": 5, "b": "{{ $json.text }}" }';
const LIST = `=[${OBJECT.slice(1)}]`;
const ROWS = (name: string) => ({
	[name]: { field: [{ name: 'own', type: 'json', value: OBJECT }] },
});
const ORDER = { orderId: byId('ord_1') };
const PRODUCT = { sku: 'A', title: 'T' };

/** By operation and field: the parameters with which the field is sent. */
const CASES: Record<string, IDataObject> = {
	'category.create json': { specifyFields: 'json', json: OBJECT },
	'customer.create json': { specifyFields: 'json', json: OBJECT },
	'customer.update json': { customerId: byId('cust_1'), specifyFields: 'json', json: OBJECT },
	'order.fulfill itemsJson': { ...ORDER, specifyItems: 'json', itemsJson: LIST },
	'order.refund json': { ...ORDER, extent: 'fields', json: OBJECT },
	'order.update otherFieldsJson': { ...ORDER, updateFields: { otherFieldsJson: OBJECT } },
	'product.create variantsJson': { title: 'T', additionalFields: { variantsJson: LIST } },
	'product.importCatalog jobBody': { specifyProduct: 'jobBody', jobBody: OBJECT },
	'product.importCatalog productJson': { specifyProduct: 'json', productJson: OBJECT },
	'product.importCatalog variantsJson': { ...PRODUCT, additionalFields: { variantsJson: LIST } },
	'product.update variantsJson': {
		productId: byId('prod_1'),
		updateFields: { variantsJson: LIST },
	},
	'product.upsert productJson': { specifyProduct: 'json', productJson: OBJECT },
	'product.upsert variantsJson': { ...PRODUCT, additionalFields: { variantsJson: LIST } },
	'category.create fields': { specifyFields: 'defineBelow', ...ROWS('fields') },
	'customer.create fields': { specifyFields: 'defineBelow', ...ROWS('fields') },
	'customer.update fields': {
		customerId: byId('cust_1'),
		specifyFields: 'defineBelow',
		...ROWS('fields'),
	},
	'order.cancel otherFields': { ...ORDER, ...ROWS('otherFields') },
	'order.update otherFields': { ...ORDER, updateFields: ROWS('otherFields') },
};

/** All JSON fields of an operation, and its rows that have a type. */
function jsonFieldsIn(fields: readonly INodeProperties[], rows?: string): string[] {
	return fields.flatMap((field) => {
		const inside = (field.options ?? []).flatMap((option) => {
			if ('values' in option) return jsonFieldsIn(option.values, field.name);
			return 'type' in option ? jsonFieldsIn([option]) : [];
		});
		const hasType =
			rows !== undefined &&
			field.name === 'type' &&
			field.options?.some((option) => 'value' in option && option.value === 'json');
		return [...(field.type === 'json' ? [field.name] : []), ...(hasType ? [rows] : []), ...inside];
	});
}

const found = resources.flatMap(({ value, operations }) =>
	operations.flatMap(({ option, fields }) =>
		jsonFieldsIn(fields).map((name) => `${value}.${option.value} ${name}`),
	),
);

it('knows every JSON field of every operation', () =>
	expect([...new Set(found)].sort()).toEqual(Object.keys(CASES).sort()));

it.each(Object.entries(CASES))(
	'%s sends no text that has left its quotes',
	async (name, parameters) => {
		const sent = stubApi({ '*': [[200, { data: { id: 'ord_1', status: 'paid' } }]] });
		const { error } = await runOperation(name.split(' ')[0], parameters, {
			items: [{ text: ATTACK }],
		});
		expect(error?.message).toMatch(/twice in one object|left its quotes/);
		expect(sent.filter(({ route }) => !route.startsWith('GET'))).toEqual([]);
	},
);
