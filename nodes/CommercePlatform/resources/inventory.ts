import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/rest/client';
import { checkHeaderValue, type PlatformRequest } from '../../shared/rest/request';
import { readPage } from '../../shared/rest/pages';
import { InputError, PlatformError } from '../../shared/rest/errors';
import {
	choice,
	type Field,
	numberField,
	textField,
	timeField,
	checkGuardIsSaid,
} from '../../shared/values/fields';
import { RESOURCES } from '../../shared/shop/resources';
import { toUtcIso } from '../../shared/values/dates';
import { keepLatest } from '../../shared/values/maps';
import { optionalText, saysNothing } from '../../shared/values/readers';
import { chosenOrEntered, namedInBody, skuLocator } from '../fields/locator';
import { CHANGES_TRIGGER, dryRun, onlyIfChanged } from '../fields/options';
import type { Call, Changes, ReadItem, Resource } from '../runner/operation';
import { isConflict } from '../runner/rewrite';
import { each, getMany } from './makeOperation';

const { path: PATH } = RESOURCES.inventory;

/** The fields that name a stock level (API document, "Inventory level"). */
const levelFields: Field[] = [
	skuLocator('Stock keeping unit of the product variant', 'searchLevelSkus'),
	namedInBody(
		'location_id',
		chosenOrEntered(
			'a location',
			'searchLocations',
			[{ displayName: 'ID', name: 'id', placeholder: 'e.g. sloc_main' }],
			{
				displayName: 'Location',
				name: 'locationId',
				description: 'ID of the stock location, in the form sloc_name',
				listHint: 'Locations of the stock levels that your shop has',
			},
		),
		'id',
	),
];

/** Names the stock level that a write changes. */
const levelTarget = ({ fields }: ReadItem): string => `stock level ${levelKey(fields)}`;

const levelKey = ({ sku, location_id }: IDataObject): string => JSON.stringify([sku, location_id]);

const locationOf = (key: string): string => (JSON.parse(key) as [string, string])[1];

/** The request that finds one level. */
function levelRequest(key: string): PlatformRequest {
	const [sku, location_id] = JSON.parse(key) as [string, string];
	return { method: 'GET', path: PATH, query: { sku, location_id } };
}

/**
 * Reads the level that an item is about.
 *
 * @returns undefined if the platform shows none
 * @throws PlatformError
 */
async function readLevel({ fields, send }: Call): Promise<IDataObject | undefined> {
	const key = levelKey(fields);
	const page = readPage((await send(levelRequest(key), 'read')).body);
	return typeof page === 'string'
		? undefined
		: page.records.find((record) => levelKey(record) === key);
}

/** By level: the quantity after the rows that a dry run has shown. A client lives as long as a run. */
const shownByRuns = new WeakMap<PlatformClient, Map<string, number>>();

/** The row that a dry run shows: the quantity before the write, and after it. */
function previewLevel(
	{ fields, client }: Call,
	level: IDataObject | undefined,
	quantityAfter: (old: number) => number,
): IDataObject {
	const { sku, location_id } = fields;
	const key = levelKey(fields);
	const shown = shownByRuns.get(client) ?? new Map<string, number>();
	shownByRuns.set(client, shown);
	const old = shown.get(key) ?? level?.quantity ?? null;
	const row = { sku, location_id, field: 'quantity', old };
	if (typeof old !== 'number')
		return { ...row, new: null, result: level === undefined ? 'no stock level' : 'not known' };
	const after = quantityAfter(old);
	shown.set(key, after);
	return { ...row, new: after, result: after === old ? 'no change' : 'would change' };
}

/**
 * Matches a value that has the form of an If-Match header already: a quoted tag, a weak one, or `*` for any version.
 */
const IF_MATCH_VALUE = /^(?:\*|(?:W\/)?".*")$/;

/** The version that the write is based on (API document, "Inventory"). */
const ifMatch = textField(
	'Expected Version',
	'ifMatch',
	"The 'version' of the stock level that you read (no ETag). If it has changed since, the write is refused.",
	{
		example: '7',
		send: {
			in: 'headers',
			as: 'If-Match',
			read: (label, value, item, _sent, path) => {
				const version = optionalText(label, value);
				if (version === undefined) {
					checkGuardIsSaid(label, item, path);
					return undefined;
				}
				return checkHeaderValue(label, IF_MATCH_VALUE.test(version) ? version : `"${version}"`);
			},
		},
	},
);

/** What to do when the platform has newer data (API document, "Inventory": 409 CONFLICT). */
const onConflict = choice(
	'On Conflict',
	'onConflict',
	{
		overwrite: [
			'Overwrite',
			'Read again and write with a newer time, whatever the version: two more requests per try, up to three tries',
		],
		returnCurrent: [
			'Return Current Level',
			"Get the level as it is, with one more request, and continue; it carries 'writeSkipped'",
		],
		stop: ['Stop', 'Fail with an error'],
	},
	'The result if the level was changed in the meantime',
	{ default: 'stop' },
);

/** If other writers were faster this often, a further try would hardly win. */
const MAX_OVERWRITES = 3;

/**
 * Writes a quantity, and does what On Conflict says. It is safe to write it again, because the quantity is absolute.
 *
 * @throws PlatformError
 */
async function setLevel(call: Call): Promise<IDataObject> {
	const { request } = call;
	let write = request.body?.updated_at === undefined ? stamped(call, request) : request;
	let step: string | undefined;
	for (let overwrites = 0; ; overwrites++) {
		const outcome = await call.record(write, step).catch(conflictOnly);
		if (!(outcome instanceof PlatformError)) return outcome;
		const conflict = outcome;
		if (call.item.options.onConflict !== 'overwrite' || overwrites === MAX_OVERWRITES)
			return await currentLevel(call, conflict);
		const levelTimeMs = timeOf((await readLevel(call)) ?? {});
		const { method, path, body } = request;
		write = stamped(call, { method, path, body }, levelTimeMs);
		// The step contains the time, so that one Idempotency-Key never stands for two bodies.
		step = `overwrite ${String(write.body?.updated_at)}`;
	}
}

/** Returns a conflict. @throws every other error */
function conflictOnly(error: unknown): PlatformError {
	if (isConflict(error)) return error;
	throw error;
}

/**
 * Reads the level as it is, if the user wants that instead of an error and the write was surely not applied.
 *
 * @throws PlatformError: the conflict, if the user does not want the level, or the platform does not show it
 */
async function currentLevel(call: Call, conflict: PlatformError): Promise<IDataObject> {
	const isWanted = call.item.options.onConflict === 'returnCurrent';
	const level =
		isWanted && conflict.details.mayBeApplied !== true ? await readLevel(call) : undefined;
	if (level === undefined) throw conflict;
	return { ...level, writeSkipped: true };
}

/** By API key and level: the time in its last write, Unix ms. All executions of this process share it. */
const lastStamps = new Map<string, number>();
const MAX_STAMPS = 10_000;

/**
 * Adds `updated_at` to a request: the platform's time, or a later one if the level's last write already had that time.
 * The platform refuses a time that is not newer than the one it has (API document, "Inventory"). This machine's clock
 * is not used: if it is ahead of the platform's, all other writers would be refused.
 *
 * @param levelTimeMs the time that the platform has for the level, Unix ms
 */
function stamped(call: Call, request: PlatformRequest, levelTimeMs = 0): PlatformRequest {
	const { client } = call;
	const key = client.keyOf(levelTarget(call));
	const stampMs = Math.max(client.platformTime(), (lastStamps.get(key) ?? 0) + 1, levelTimeMs + 1);
	keepLatest(lastStamps, key, stampMs, MAX_STAMPS);
	return { ...request, body: { ...request.body, updated_at: new Date(stampMs).toISOString() } };
}

/** The time of a level, Unix ms; 0 if it has none. A time without a zone is in UTC (API document, "Conventions"). */
function timeOf({ updated_at: time }: IDataObject): number {
	const hasZone = /(?:z|[+-]\d{2}:?\d{2})$/i.test(String(time));
	return Date.parse(hasZone ? String(time) : `${String(time)}Z`) || 0;
}

const updatedAt = timeField(
	'Updated At',
	'updatedAt',
	'When the quantity was counted, if not now. The platform refuses a time older than the one it has.',
	{
		send: {
			in: 'body',
			as: 'updated_at',
			read: (label, value, item) => {
				if (!saysNothing(value)) return toUtcIso(label, value, item.timezone);
				const remedy = 'Nothing was sent. Enter a time, or remove the option.';
				throw new InputError(label, 'is empty', remedy);
			},
		},
	},
);

/** Finds the levels of the rows: those of one location, if all rows are of one. */
const changes: Changes<ReadItem> & { forPreview: true } = {
	source: {
		list: (keys) => {
			const [location_id, ...others] = new Set(keys.map((key) => locationOf(key)));
			const query = others.length === 0 ? { location_id } : {};
			return { method: 'GET', path: PATH, query };
		},
		requestFor: levelRequest,
		keysOf: (level) => [levelKey(level)],
		// API document, "Inventory level": a level is one SKU at one location.
		isUnique: () => true,
	},
	keyOf: ({ fields }) => levelKey(fields),
	// `updated_at` is not compared: a new time alone changes nothing.
	isUnchanged: ({ fields }, level) => level.quantity === fields.quantity,
	forPreview: true,
};

const set = each({
	target: levelTarget,
	changes,
	cheaperWay: "Where many levels are as they were, the option 'Only If Changed' leaves those out.",
	request: `PUT ${PATH}`,
	name: 'Set',
	value: 'set',
	action: 'Set stock level',
	description: 'Write the absolute quantity of a SKU at a location: the preferred way',
	run: setLevel,
	preview: (call, level) => previewLevel(call, level, () => Number(call.fields.quantity)),
	fields: [
		...levelFields,
		// No number is preset, here and in Adjust: a stock level is written only if the user entered a number.
		numberField('Quantity', 'quantity', 'Whole number of pieces that are there now', {
			required: true,
			example: '12',
			hint: 'Required; 0 means sold out',
			body: 'quantity',
		}),
	],
	options: [dryRun, ifMatch, onConflict, onlyIfChanged, updatedAt],
});

const adjust = each({
	target: levelTarget,
	request: 'POST /inventory/levels/adjust',
	name: 'Adjust',
	value: 'adjust',
	action: 'Adjust stock level',
	description: 'Change a quantity by a difference; Set is the preferred way',
	preview: (call, level) => previewLevel(call, level, (old) => old + Number(call.fields.delta)),
	changes,
	fields: [
		...levelFields,
		numberField('Change By', 'delta', 'Whole number of pieces to add; negative to take away', {
			required: true,
			example: '-2',
			hint: 'Required',
			body: 'delta',
		}),
		textField('Reason', 'reason', 'Why the quantity changes; left out when empty', {
			example: 'Damaged in storage',
			body: 'reason',
		}),
	],
	options: [dryRun, ifMatch],
});

export const inventory: Resource = {
	name: 'Inventory',
	value: 'inventory',
	description: 'Stock levels by SKU and location',
	noun: 'stock level',
	operations: [adjust, getMany(RESOURCES.inventory, { cheaperWay: CHANGES_TRIGGER }), set],
};
