import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../../shared/rest/client';
import { InputError } from '../../../shared/rest/errors';
import { nameOf } from '../../../shared/shop/records';
import { textList } from '../../../shared/values/readers';
import type { ReadItem } from '../../runner/operation';
import { counted } from '../../runner/report';

/** How the IDs of categories begin (API document, "Product"). */
const ID_START = 'cat_';

/** The shop's categories, as names find them. */
interface Categories {
	ids: ReadonlySet<string>;
	/** By their names, in the form in which names are compared. Several categories may have one name. */
	idsByName: ReadonlyMap<string, readonly string[]>;
	/** The most parts that commas divide one of their names into. */
	maxParts: number;
}

/** What runs have read. A client lives as long as a run, so nothing older is used. */
const readByRuns = new WeakMap<PlatformClient, Promise<Categories>>();

/**
 * Replaces the names of categories by their IDs, since the platform takes IDs only. The list is read once a run, and not
 * at all if every category is given by its ID.
 *
 * @returns the fields with IDs
 * @throws InputError if no category has a name, or several have it; PlatformError if the list cannot be read
 */
export async function withCategoryIds(
	{ fields }: Pick<ReadItem, 'fields'>,
	client: PlatformClient,
): Promise<IDataObject> {
	const { categories } = fields;
	if (!Array.isArray(categories)) return fields;
	const entered = categories as unknown[];
	if (!entered.flat().some(isName)) return { ...fields, categories: entered.flat() as string[] };
	const shopCategories = readByRuns.get(client) ?? readCategories(client);
	// A reading that failed is kept too: otherwise every item would read again.
	readByRuns.set(client, shopCategories);
	const known = await shopCategories;
	const names = entered.flatMap((entry) =>
		Array.isArray(entry) ? namesIn(entry as string[], known) : [entry],
	);
	const ids = names.map((entry) => (isName(entry) ? categoryIdOf(entry, known) : entry));
	return { ...fields, categories: [...new Set(ids)] as string[] };
}

/**
 * Reads categories: a list, or one text with commas between.
 *
 * @returns the entries; the parts of a text with commas stay together as one, since a category's name may have commas
 * @throws InputError
 */
export function categoriesEntered(field: string, value: unknown): Array<string | string[]> {
	const entries = textList(field, value);
	const isDivided =
		typeof value === 'string' && entries.length > 1 && !value.trim().startsWith('[');
	return isDivided ? [entries] : entries;
}

/** Whether an entry may be a name. What is no text, or is blank, is sent as it was entered. */
const isName = (entry: unknown): entry is string =>
	typeof entry === 'string' && entry.trim() !== '' && !entry.trim().startsWith(ID_START);

const comparable = (name: string): string =>
	name
		.normalize('NFC')
		.trim()
		.toLowerCase()
		.split(',')
		.map((part) => part.trim())
		.join(', ');

async function readCategories(client: PlatformClient): Promise<Categories> {
	const ids = new Set<string>();
	const idsByName = new Map<string, string[]>();
	for await (const { records } of client.pages({ method: 'GET', path: '/categories' }))
		for (const category of records) {
			const { id } = category;
			// A category that changes during the walk may come twice.
			if (typeof id !== 'string' || ids.has(id)) continue;
			ids.add(id);
			const name = comparable(nameOf(category) ?? '');
			idsByName.set(name, [...(idsByName.get(name) ?? []), id]);
		}
	const parts = [...idsByName.keys()].map((name) => name.split(',').length);
	return { ids, idsByName, maxParts: parts.reduce((most, count) => Math.max(most, count), 1) };
}

/**
 * Finds the categories in the parts of a text with commas, where “Men, Shoes” may also be one name.
 *
 * @returns the parts, and those that make one name as one
 * @throws InputError if each part of such a name is a category as well
 */
function namesIn(parts: readonly string[], { idsByName, maxParts }: Categories): string[] {
	const isKnown = (name: string) => isName(name) && idsByName.has(comparable(name));
	const names: string[] = [];
	for (let at = 0; at < parts.length; at++) {
		let ofName = [parts[at]];
		for (let end = at + maxParts; end > at + 1 && ofName.length === 1; end--)
			if (isKnown(parts.slice(at, end).join(', '))) ofName = parts.slice(at, end);
		const name = ofName.join(', ');
		if (ofName.length > 1 && ofName.every(isKnown))
			throw new InputError(
				CATEGORIES_FIELD,
				'',
				'Nothing was sent for it. Enter the IDs of the ones that you mean.',
				`“${name}” is the name of one category, and its parts are names of categories too`,
				'ambiguous',
			);
		names.push(name);
		at += ofName.length - 1;
	}
	return names;
}

/** How much of a name a message quotes. Characters. */
const MAX_QUOTED = 100;

/** The label of the field, without the ending that n8n wants there. */
const CATEGORIES_FIELD = 'Categories';

function categoryIdOf(entered: string, { ids, idsByName }: Categories): string {
	if (ids.has(entered.trim())) return entered.trim();
	const named = idsByName.get(comparable(entered)) ?? [];
	if (named.length === 1) return named[0];
	const name = `“${entered.trim().slice(0, MAX_QUOTED)}”`;
	if (named.length === 0)
		throw new InputError(
			CATEGORIES_FIELD,
			'',
			`Nothing was sent for it. Its name was compared with ${ids.size === 1 ? 'that of the only category' : `those of all ${counted(ids.size)} categories`}. Check the name, or enter the category’s ID.`,
			`No category is called ${name}`,
			'notFound',
		);
	throw new InputError(
		CATEGORIES_FIELD,
		'',
		`Nothing was sent for it. Enter the ID of the one that you mean: ${named.slice(0, 5).join(', ')}.`,
		`${named.length} categories are called ${name}`,
		'ambiguous',
	);
}
