import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../../shared/errors/errors';
import { describe, jsonObject, someText } from '../../../shared/values/readers';
import { bodyField } from '../../fields/body';
import type { Field, Item, ReadField } from '../../fields/field';
import { amountsAreIn } from '../../fields/money';
import { saidFields, writtenIn } from '../../fields/saidFields';
import { sku } from '../../fields/sku';
import { productFields, title } from './productFields';

const DEFINE_BELOW = 'defineBelow';
const JSON_MODE = 'json';
const INPUT_ITEM = 'autoMapInputData';
/** Each item is the whole body of a job. */
export const WHOLE_BODY = 'jobBody';

const modes = [
	{
		name: 'Define Below',
		value: DEFINE_BELOW,
		description: 'Enter the fields one by one, with expressions where they come from the item',
	},
	{
		name: 'Input Item',
		value: INPUT_ITEM,
		description:
			'Take every field of the input item as a field of the product; empty ones are left out',
	},
	{
		name: 'JSON',
		value: JSON_MODE,
		description: 'Enter the product as one JSON object, with the names that the platform uses',
	},
];

const wholeBodyMode = {
	name: 'Whole Body (JSON)',
	value: WHOLE_BODY,
	description: 'Enter the body of the import job itself; each item starts a job of its own',
};

/** How a product of a batch or an import is entered: its SKU names it. */
export function specifyProduct(withWholeBody = false): Field[] {
	const specify: Field = {
		displayName: 'Specify Product',
		name: 'specifyProduct',
		type: 'options',
		noDataExpression: true,
		options: withWholeBody ? [...modes, wholeBodyMode] : modes,
		default: DEFINE_BELOW,
		description: 'How to enter the fields of each product',
		send: { in: 'body', read: readProduct },
	};
	return [specify, ...fieldsBelow, productJson, ...(withWholeBody ? [jobBody] : [])];
}

const shownIn = (mode: string) => ({ show: { specifyProduct: [mode] } });

/** A field with further conditions, under one of the modes only. */
const onlyIn = (mode: string, field: Field): Field => ({
	...field,
	displayOptions: { show: { ...field.displayOptions?.show, specifyProduct: [mode] } },
});

const fieldsBelow: Field[] = [
	bodyField(
		{
			...sku,
			displayOptions: shownIn(DEFINE_BELOW),
			description:
				'Stock keeping unit that names the product: it is changed if the shop has it, and created if not',
		},
		someText,
	),
	bodyField({ ...title, displayOptions: shownIn(DEFINE_BELOW) }, someText),
	onlyIn(DEFINE_BELOW, amountsAreIn),
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: shownIn(DEFINE_BELOW),
		description: 'Further fields of the product; what is left empty is not sent',
		options: productFields,
	},
];

const productJson: INodeProperties = {
	displayName: 'Product (JSON)',
	name: 'productJson',
	type: 'json',
	default: '{}',
	displayOptions: shownIn(JSON_MODE),
	description:
		'The product as one JSON object with its SKU, e.g. { "sku": "SHIRT-M", "title": "Linen shirt", "variants": [{ "sku": "SHIRT-M", "prices": [{ "amount": 1999, "currency": "EUR" }] }] }. Amounts are in minor units.',
};

const jobBody: INodeProperties = {
	displayName: 'Body (JSON)',
	name: 'jobBody',
	type: 'json',
	default: '{}',
	displayOptions: { show: { specifyProduct: [WHOLE_BODY] } },
	description: 'The whole body of the import job, in the form that the platform expects',
};

/** The SKU of an item's product, in whichever way it is entered. */
export const skuOfProduct = {
	name: sku.name,
	read(item: Item): unknown {
		const mode = item.parameter('specifyProduct', DEFINE_BELOW);
		if (mode === INPUT_ITEM) return item.json.sku;
		if (mode === JSON_MODE)
			return jsonObject('Product (JSON)', item.parameter('productJson', {})).sku;
		return mode === DEFINE_BELOW ? item.parameter(sku.name, '') : undefined;
	},
};

/** Fields of their own say it themselves. */
const readProduct: ReadField = (_label, mode, item) =>
	mode === DEFINE_BELOW ? undefined : READ[String(mode)](item);

const READ: Record<string, (item: Item) => IDataObject> = {
	[JSON_MODE]: (item) => {
		const product = jsonObject('Product (JSON)', item.parameter('productJson', {}));
		return namedProduct('Product (JSON)', saidFields(product, writtenIn(item, 'productJson')));
	},
	[INPUT_ITEM]: (item) => {
		const fields = saidFields(item.json, undefined);
		return namedProduct('Input Item', jsonObject('Input Item', fields));
	},
	[WHOLE_BODY]: (item) => {
		const body = jsonObject('Body (JSON)', item.parameter('jobBody', {}));
		if (Object.keys(body).length === 0) throw new InputError('Body (JSON)', 'is empty');
		return body;
	},
};

/** The product with its SKU first. `op` is the batch's own word. */
function namedProduct(field: string, { op, sku, ...fields }: IDataObject): IDataObject {
	if (op !== undefined && op !== 'upsert')
		throw new InputError(`${field}: op`, 'can only be “upsert”', `It is ${describe(op)}.`);
	return { sku: someText(`${field}: sku`, sku), ...fields };
}
