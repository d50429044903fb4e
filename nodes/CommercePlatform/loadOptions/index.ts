import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { createClient } from '../../shared/api/client';
import { withNodeErrors } from '../../shared/errors/nodeErrors';
import { nameOf } from '../listSearch/labels';

/** A list in the editor that is longer than this is no help; an expression takes any ID. */
const MAX_CATEGORIES = 1000;

/** The shop's categories, for multi-selects. */
export async function getCategories(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await withNodeErrors(this, { noun: 'category' }, async () => {
		const client = await createClient(this);
		const categories: INodePropertyOptions[] = [];
		for await (const record of client.records({ method: 'GET', path: '/categories' })) {
			if (typeof record.id !== 'string') continue;
			const { id } = record;
			categories.push({ name: nameOf(record) ?? id, value: id, description: id });
			if (categories.length === MAX_CATEGORIES) break;
		}
		return categories.sort((a, b) => a.name.localeCompare(b.name));
	});
}

export const loadOptions = { getCategories };
