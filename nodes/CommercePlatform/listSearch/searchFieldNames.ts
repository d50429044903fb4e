import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { recordOf } from '../../shared/api/answer';
import { createClient, type PlatformClient } from '../../shared/api/client';
import { newestFirst } from '../../shared/api/pages';
import { withNodeErrors } from '../../shared/errors/nodeErrors';
import { chosenIn } from './chosen';
import { join, matches } from './labels';

/** Records that are looked at for names: some leave out fields without a value. All of them are one request. */
const RECORDS = 10;

/** Written by the platform itself. */
const OF_THE_PLATFORM = ['id', 'created_at', 'updated_at'];

/** Records that show which fields there are, where the API document does not. */
export interface Shown {
	/** The list of such records, e.g. `/customers`. */
	path: string;
	/** For messages. */
	noun: string;
	/** False where the API document gives the list no query. */
	takesQuery?: false;
	/** The resource locator of an operation on one record, e.g. `customerId`. */
	locator?: string;
	/** Fields that the operation has of its own. */
	own?: string[];
}

/**
 * Suggests the names of fields: those of the record that is chosen, else of the newest ones. What they hold is
 * not shown, since n8n keeps the label of what is chosen in the workflow.
 */
export function searchFieldNames(shown: Shown) {
	return async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const { noun } = shown;
		const records = await withNodeErrors(this, { noun }, async () =>
			recordsToShow(await createClient(this), shown, idIn(this, shown)),
		);
		if (records.length === 0)
			throw new Error(`Your shop has no ${noun} yet that shows its fields. Use By Name.`);
		const results = [...fieldsOf(records, shown)]
			.filter(([name]) => matches(name, filter))
			.map(([name, type]) => ({ name: join(name, type), value: name }));
		return { results };
	};
}

function idIn(context: ILoadOptionsFunctions, { locator }: Shown): string | undefined {
	const chosen = locator === undefined ? undefined : chosenIn(context, locator);
	return chosen?.mode === 'list' || chosen?.mode === 'id' ? chosen.value : undefined;
}

async function recordsToShow(
	client: PlatformClient,
	{ path, takesQuery }: Shown,
	id?: string,
): Promise<IDataObject[]> {
	if (id !== undefined) {
		const request = { method: 'GET', path: `${path}/{id}`, pathParams: { id } } as const;
		const record = recordOf((await client.request(request)).body);
		return record === undefined ? [] : [record];
	}
	const list = { method: 'GET', path } as const;
	const limits = { limit: RECORDS, takesQuery };
	const pages =
		takesQuery === false ? client.pages(list, limits) : newestFirst(client, list, limits);
	for await (const { records } of pages) return records;
	return [];
}

/** Each field's name, with the Type under which it is entered; without one where no record has a value. */
function fieldsOf(records: IDataObject[], { own = [] }: Shown): Map<string, string> {
	const fields = new Map<string, string>();
	for (const record of records) {
		for (const [name, value] of Object.entries(record)) {
			if (OF_THE_PLATFORM.includes(name) || own.includes(name)) continue;
			if (!fields.get(name)) fields.set(name, typeOf(value));
		}
	}
	return fields;
}

const TYPES: Partial<Record<string, string>> = {
	boolean: 'Boolean',
	number: 'Number',
	object: 'JSON',
	string: 'Text',
};

const typeOf = (value: unknown): string => (value === null ? '' : (TYPES[typeof value] ?? ''));
