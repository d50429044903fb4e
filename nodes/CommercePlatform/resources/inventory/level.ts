import type { IDataObject } from 'n8n-workflow';

import { readPage } from '../../../shared/api/answer';
import { checkHeaderValue } from '../../../shared/api/http';
import type { PlatformRequest } from '../../../shared/api/request';
import type { Call, Changes, PlannedItem } from '../../run/operation';
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
export const levelTarget = ({
	fields: { sku, location_id },
}: Pick<PlannedItem, 'fields'>): string =>
	`stock level ${JSON.stringify([sku, location_id].map((part) => String(part).trim().toLowerCase()))}`;

const keyOf = ({ sku, location_id }: IDataObject): string => JSON.stringify([sku, location_id]);

/** The request that finds one level. */
function levelOf(key: string): PlatformRequest {
	const [sku, location_id] = JSON.parse(key) as [string, string];
	return { method: 'GET', path: '/inventory/levels', query: { sku, location_id } };
}

/** Stock levels by SKU and location. Only the quantity is compared: the time of a count changes nothing by itself. */
export const levelChanges: Changes = {
	source: {
		list: { method: 'GET', path: '/inventory/levels' },
		one: levelOf,
		keysOf: (level) => [keyOf(level)],
		// API document, "Inventory level": a level is one SKU at one location.
		isUnique: () => true,
	},
	keyOf: ({ fields }) => keyOf(fields),
	isUnchanged: ({ fields }, level) => level.quantity === fields.quantity,
};

/**
 * Reads the level that an item is about.
 *
 * @returns undefined where the platform shows none
 * @throws PlatformError
 */
export async function readLevel({ fields, send }: Call): Promise<IDataObject | undefined> {
	const key = keyOf(fields);
	const page = readPage((await send(levelOf(key), 'read')).body);
	return typeof page === 'string' ? undefined : page.records.find((one) => keyOf(one) === key);
}

/**
 * What a dry run shows of a write: the quantity that is there, and the one that would be.
 *
 * @param after the new quantity, from the old one
 */
export async function previewLevel(
	call: Call,
	after: (old: number) => number,
): Promise<IDataObject> {
	const { sku, location_id } = call.fields;
	const about = { sku, location_id, field: 'quantity' };
	const level = await readLevel(call);
	const old = level?.quantity;
	if (typeof old !== 'number') {
		const result = level === undefined ? 'unknown SKU' : 'not known';
		return { ...about, old: old ?? null, new: null, result };
	}
	const result = after(old) === old ? 'no change' : 'would change';
	return { ...about, old, new: after(old), result };
}

/** What HTTP writes as it is: quoted tags, weak ones, and any version at all. */
const WRITTEN_OUT = /^(?:\*|(?:W\/)?".*")$/;

/** The version that the write is based on (API document, "Inventory"). */
export const ifMatch = textField(
	'If-Match',
	'ifMatch',
	'Version of the stock level that you have read: its own “version”, not a page’s ETag. If it has changed, the write is refused.',
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
