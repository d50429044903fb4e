import type { Changes, PlannedItem } from '../../run/operation';
import { checkHeaderValue } from '../../../shared/api/http';
import { optionalText, someText } from '../../../shared/values/readers';
import { skuField, textField } from '../../fields/build';
import { bodyField, type Field } from '../../fields/field';

/** What names a stock level (API document, "Inventory level"). */
export const levelFields: Field[] = [
	bodyField(skuField('Stock keeping unit of the product variant'), someText),
	bodyField(
		textField('Location ID', 'locationId', 'ID of the stock location, in the form sloc_name', {
			required: true,
			example: 'sloc_main',
		}),
		someText,
		'location_id',
	),
];

/**
 * The stock level that a write changes. A shop may take `a` and `A ` for one SKU, so writes to them are held for
 * writes to one level.
 */
export const levelTarget = ({ fields }: Pick<PlannedItem, 'fields'>): string =>
	`stock level ${loosely(keyOf(fields))}`;

const keyOf = ({ sku, location_id }: PlannedItem['fields']): string =>
	JSON.stringify([sku, location_id]);

const loosely = (key: string): string =>
	JSON.stringify((JSON.parse(key) as string[]).map((part) => part.trim().toLowerCase()));

/** Stock levels by SKU and location. Only the quantity is compared: the time of a count changes nothing by itself. */
export const levelChanges: Changes = {
	source: {
		list: { method: 'GET', path: '/inventory/levels' },
		one: (key) => {
			const [sku, location_id] = JSON.parse(key) as [string, string];
			return { method: 'GET', path: '/inventory/levels', query: { sku, location_id } };
		},
		keysOf: (level) => [keyOf(level)],
		// API document, "Inventory level": a level is one SKU at one location.
		isUnique: () => true,
	},
	keyOf: ({ fields }) => keyOf(fields),
	isUnchanged: ({ fields }, level) => level.quantity === fields.quantity,
};

/** What HTTP writes as it is: quoted tags, weak ones, and any version at all. */
const WRITTEN_OUT = /^(?:\*|(?:W\/)?".*")$/;

/** The version that the write is based on (API document, "Inventory"). */
export const ifMatch = textField(
	'If-Match',
	'ifMatch',
	'Version of the stock level that you have read: the level’s own “version”, not the ETag of a whole page. With or without quotation marks. If the level has changed since, the platform refuses the write as a conflict.',
	{
		example: '7',
		send: {
			in: 'headers',
			as: 'If-Match',
			read: (label, value) => {
				const version = optionalText(label, value);
				if (version === undefined) return undefined;
				return checkHeaderValue(label, WRITTEN_OUT.test(version) ? version : `"${version}"`);
			},
		},
	},
);
