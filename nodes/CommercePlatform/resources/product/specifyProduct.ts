import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/errors/errors';
import { describe, jsonObject, someText } from '../../../shared/values/readers';
import { bodyField, type Field, type Item, type ReadField } from '../../fields/field';
import { amountsAreIn } from '../../fields/money';
import { enteredIn, withoutBlanks } from '../../fields/blanks';
import { choice, jsonField, shownWhen, skuField } from '../../fields/build';
import { additionalFields, title } from './productFields';

const DEFINE_BELOW = 'defineBelow';
const JSON_MODE = 'json';
const INPUT_ITEM = 'autoMapInputData';
/** Each item is the whole body of a job. */
export const WHOLE_BODY = 'jobBody';

const modes = {
	[DEFINE_BELOW]: [
		'Define Below',
		'Enter the fields one by one, with expressions where they come from the item',
	],
	[INPUT_ITEM]: [
		'Input Item',
		'Take every field of the input item as a field of the product; empty ones are left out',
	],
	[JSON_MODE]: [
		'JSON',
		'Enter the product as one JSON object, with the names that the platform uses',
	],
} as const;

const wholeBodyMode = {
	[WHOLE_BODY]: [
		'Whole Body (JSON)',
		'Enter the body of the import job itself; each item starts a job of its own',
	],
} as const;

/** A field under one of the modes only. */
const inMode = (mode: string, field: Field): Field => shownWhen('specifyProduct', [mode], field);

/** How a product of a batch or an import is entered: its SKU names it. */
export const specifyProduct = (withWholeBody = false): Field[] => [
	choice(
		'Specify Product',
		'specifyProduct',
		{ ...modes, ...(withWholeBody && wholeBodyMode) },
		'How to enter the fields of each product',
		{ noDataExpression: true, send: { in: 'body', read: readProduct } },
	),
	...fieldsBelow.map((field) => inMode(DEFINE_BELOW, field)),
	inMode(JSON_MODE, productJson),
	...(withWholeBody ? [inMode(WHOLE_BODY, jobBody)] : []),
];

const fieldsBelow: Field[] = [
	bodyField(
		skuField(
			'Stock keeping unit that names the product: it is changed if the shop has it, and created if not',
		),
		someText,
	),
	bodyField(title, someText),
	amountsAreIn,
	additionalFields,
];

const productJson = jsonField(
	'Product (JSON)',
	'productJson',
	'{}',
	'The product as one JSON object with its SKU, e.g. { "sku": "SHIRT-M", "title": "Linen shirt" }. Amounts are in minor units.',
);

const jobBody = jsonField(
	'Body (JSON)',
	'jobBody',
	'{}',
	'The whole body of the import job, in the form that the platform expects',
);

/** The SKU of an item's product, in whichever way it is entered. */
export const skuOfProduct = {
	name: 'sku',
	read(item: Item): unknown {
		const mode = item.parameter('specifyProduct', DEFINE_BELOW);
		if (mode === INPUT_ITEM) return item.json.sku;
		if (mode === JSON_MODE)
			return jsonObject('Product (JSON)', item.parameter('productJson', {})).sku;
		return mode === DEFINE_BELOW ? item.parameter('sku', '') : undefined;
	},
};

/** Fields of their own say it themselves. */
const readProduct: ReadField = (_label, mode, item) =>
	mode === DEFINE_BELOW ? undefined : READ[String(mode)](item);

const READ: Record<string, (item: Item) => IDataObject> = {
	[JSON_MODE]: (item) => {
		const product = jsonObject('Product (JSON)', item.parameter('productJson', {}));
		return namedProduct('Product (JSON)', withoutBlanks(product, enteredIn(item, 'productJson')));
	},
	[INPUT_ITEM]: (item) => {
		const fields = withoutBlanks(item.json, undefined);
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
