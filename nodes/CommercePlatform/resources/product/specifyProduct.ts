import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/rest/errors';
import {
	choice,
	type Choices,
	type Field,
	type Item,
	jsonField,
	shownWhen,
	textField,
} from '../../../shared/values/fields';
import { isListOfObjects } from '../../../shared/values/json';
import {
	describe,
	jsonObject,
	optionalText,
	type Reader,
	saysNothing,
	searchedText,
	someText,
	text,
	textList,
} from '../../../shared/values/readers';
import { amountForm } from '../../fields/amounts';
import { enteredObject, sentObject } from '../../fields/jsonText';
import { nameText } from '../../../shared/values/names';
import { INPUT_ITEM } from '../../fields/spreadsheet';
import { additionalFieldsOfRows, readOwnPrice, title, WITH_PRICE } from './productFields';
import { columnsLeftOut, groupOf, productOfRow, skuOfRow } from './rows';

/** The choice of Specify Product with which each input item is the whole body of its own import job. */
export const WHOLE_BODY = 'jobBody';

const MODES: Choices = {
	defineBelow: [
		'Define Below',
		'Enter the fields one by one, with expressions where they come from the item',
	],
	autoMapInputData: [
		'Input Item',
		'Take the row: title, handle, status, description, categories, SKU, variant title, price, currency',
	],
	json: ['JSON', 'Enter the product as one JSON object, with the names that the platform uses'],
};

/** The SKU goes into the address of a search. */
export const readSku: Reader<string> = (field, value) =>
	searchedText(field, nameText(field, value));

const productJson = jsonField(
	'Product (JSON)',
	'productJson',
	'The product as JSON with its SKU, e.g. { "sku": "SHIRT-M", "title": "Linen shirt" }. Amounts are in minor units.',
);

/** The price of a product with one variant. It is read after the SKU. */
const priceOfVariant = textField(
	'Price',
	'price',
	"The variant's price in major units, e.g. 19.99; left out when empty. For minor units: option 'Amounts Are In'.",
	{
		example: '19.99',
		body: 'variants',
		read: (label, price, item, { sku }) => [{ sku, prices: [readOwnPrice(label, price, item)] }],
	},
);

const currencyOfAll = textField(
	'Currency',
	'currency',
	'Three-letter currency code, e.g. EUR. It counts for every price without a currency of its own.',
	{ example: 'EUR' },
);

export const jobBody = jsonField(
	'Body (JSON)',
	'jobBody',
	'The whole body of the import job, in the form that the platform expects',
);

/** The fields in which a product of a batch or an import is entered. Its SKU names it. */
export const specifyProduct = (furtherModes: Choices = {}): Field[] => [
	choice(
		'Specify Product',
		'specifyProduct',
		{ ...MODES, ...furtherModes },
		'How to enter the fields of each product',
		{
			noDataExpression: true,
			// With Define Below, every field sends its own value.
			send: {
				in: 'body',
				read: (_label, mode, item) => (mode === 'defineBelow' ? undefined : enteredProduct(item)),
			},
		},
	),
	...shownWhen(
		'specifyProduct',
		['defineBelow'],
		textField(
			'SKU',
			'sku',
			'Stock keeping unit that names the product: it is changed if the shop has it, and created if not',
			{ required: true, example: 'SHIRT-BLUE-M', body: 'sku', read: readSku },
		),
		title(),
		priceOfVariant,
		{ ...currencyOfAll, ...WITH_PRICE },
		additionalFieldsOfRows,
	),
	...shownWhen('specifyProduct', ['autoMapInputData'], currencyOfAll, productPer),
	...shownWhen('specifyProduct', ['json'], productJson),
];

const productPer = choice(
	'One Product Per',
	'productPer',
	{
		sku: ['SKU', 'Each row is a product of its own, named by its SKU'],
		handle: [
			'Handle',
			'Rows with one handle are one product, and each row is a variant, as in the exports of many shops',
		],
	},
	'Which rows make one product',
	{ noDataExpression: true },
);

/** Whether rows with one handle are one product. */
const isPerHandle = (item: Item): boolean =>
	modeOf(item) === 'autoMapInputData' && item.parameter(productPer.name, 'sku') === 'handle';

const modeOf = (item: Item) => item.parameter('specifyProduct', 'defineBelow');

const furtherColumns = ({ options }: Item): readonly string[] =>
	textList(columnsToSend.displayName, options.columnsToSend);

/** Reads the product, with its SKU first. `op` is left out, since the batch itself sends it. */
function enteredProduct(item: Item): IDataObject {
	const mode = modeOf(item);
	if (mode === 'autoMapInputData') {
		const product = productOfRow(item.json, {
			form: amountForm(item),
			currency: optionalText('Currency', item.parameter('currency', '')),
			sendAsTheyAre: furtherColumns(item),
			isVariant: isPerHandle(item),
		});
		return withoutOp(INPUT_ITEM, product);
	}
	const { displayName: field, name } = mode === 'json' ? productJson : jobBody;
	const value = item.parameter(name, '');
	const read = mode === 'json' ? sentObject : enteredObject;
	const entered = saysNothing(value) ? {} : read(field, item, name, value);
	if (mode === 'json') {
		const { sku, ...fields } = withoutOp(field, entered);
		return { sku: someText(`${field}: sku`, sku).trim(), ...fields };
	}
	if (Object.keys(entered).length === 0) throw new InputError(field, 'is empty');
	return entered;
}

function withoutOp(field: string, product: IDataObject): IDataObject {
	const { op, ...fields } = withTexts(field, jsonObject(field, product));
	if (op === undefined || op === 'upsert') return fields;
	throw new InputError(`${field}: op`, "can only be 'upsert'", `It is ${describe(op)}.`);
}

/** Texts of a product or a variant (API document, "Product", "Variant"). */
const TEXTS = ['sku', 'title', 'handle', 'description'];

/**
 * Turns texts of a product that a spreadsheet made numbers back into texts, e.g. the title 1984.
 *
 * @param field display name
 * @throws InputError if the number may have lost digits
 */
function withTexts(field: string, product: IDataObject): IDataObject {
	const copy = { ...product };
	for (const name of TEXTS)
		if (['boolean', 'number'].includes(typeof copy[name]))
			copy[name] = text(`${field}: ${name}`, copy[name]);
	const { variants } = copy;
	if (isListOfObjects(variants))
		copy.variants = variants.map((variant, index) =>
			withTexts(`${field}: variants[${index}]`, variant),
		);
	return copy;
}

/** The SKU of an item's product, however it was entered. May be anything. */
export function skuEntered(item: Item): unknown {
	const mode = modeOf(item);
	if (mode === 'defineBelow') return item.parameter('sku', '');
	if (mode === 'autoMapInputData') return skuOfRow(item.json);
	const { displayName, name } = productJson;
	return enteredObject(displayName, item, name, item.parameter(name, '')).sku;
}

/** The columns of an item's row that are not sent. */
export const columnsNotSent = (item: Item): readonly string[] =>
	modeOf(item) === 'autoMapInputData' ? columnsLeftOut(item.json, furtherColumns(item)) : [];

/** What rows of one product have in common, if rows with one handle are one product. */
export const groupEntered = (item: Item): string | undefined =>
	isPerHandle(item) ? groupOf(item.json) : undefined;

/** Whether an item is the whole body of its own import job. */
export const isWholeBody = (item: Item): boolean => modeOf(item) === WHOLE_BODY;

export const columnsToSend = textField(
	'Columns to Send as They Are',
	'columnsToSend',
	"Further columns of 'Input Item' to send under their own names, separated by commas; 'all' sends all",
	{ example: 'vendor, weight' },
);
