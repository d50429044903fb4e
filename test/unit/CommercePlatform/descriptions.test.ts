import type { INodeProperties } from 'n8n-workflow';

import { propertiesOf } from '../../../nodes/CommercePlatform/run/properties';
import { resources } from '../../../nodes/CommercePlatform/resources';

/** What only a person before the editor can do: choose, click, look at a list. Its place is a hint, which no model sees. */
const FOR_THE_EDITOR =
	/\bexpressions?\b|\bclick|\blists? (shows?|above|below)\b|\bfrom (the )?list\b|^choose\b|<[a-z]/i;

/** n8n's lint wants these words wherever choices come from the shop. */
const DEMANDED = /Choose from the list, or specify (?:an ID|IDs) using an <a href=/;

/** Every field with a description of its own, also those inside collections and lists. */
function described(inside: unknown): INodeProperties[] {
	if (Array.isArray(inside)) return inside.flatMap(described);
	if (typeof inside !== 'object' || inside === null) return [];
	const field = inside as INodeProperties;
	const isField = typeof field.type === 'string' && typeof field.description === 'string';
	return [...(isField ? [field] : []), ...Object.values(inside).flatMap(described)];
}

it('says in no description what only a person in the editor can follow, since models read them too', () => {
	const fields = described(propertiesOf(resources));
	expect(fields.length).toBeGreaterThan(200);
	const meant = fields.filter(({ description = '' }) => FOR_THE_EDITOR.test(description));
	const own = meant.filter(({ description = '' }) => !DEMANDED.test(description));
	expect(own.map(({ displayName, description }) => `${displayName}: ${description}`)).toEqual([]);
	expect(new Set(meant.map(({ name }) => name))).toEqual(new Set(['categories', 'category']));
});
