import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { walkRecords } from '../../shared/api/walk';
import { nameOf } from '../listSearch/labels';

/** A list in the editor that is longer than this is no help; an expression takes any ID. */
const MAX_CATEGORIES = 1000;

/** The shop's categories, for multi-selects. */
export async function getCategories(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const categories: INodePropertyOptions[] = [];
	const records = walkRecords(this, { method: 'GET', path: '/categories' }, { noun: 'category' });
	for await (const record of records) {
		if (typeof record.id !== 'string') continue;
		categories.push({
			name: nameOf(record) ?? record.id,
			value: record.id,
			description: record.id,
		});
		if (categories.length === MAX_CATEGORIES) break;
	}
	return categories.sort((a, b) => a.name.localeCompare(b.name));
}

export const loadOptions = { getCategories };
