import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

import { resources } from '../../nodes/CommercePlatform/CommercePlatform.node.ts';

/** A shape as outputSchemas.yaml writes it: the name of a type, a list of one shape, or a record of shapes. */
type Written = string | [Written] | { [field: string]: Written };
type Shapes = Record<string, Written | null>;

const { records, others, triggers } = parse(
	readFileSync(join(__dirname, 'outputSchemas.yaml'), 'utf8'),
	{ merge: true },
) as Record<'records' | 'others' | 'triggers', Shapes>;

/** The part of JSON Schema that n8n reads of a node's output. */
interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** A `?` behind a type or a field's name stands for null. */
function schemaOf(written: Written): Schema {
	if (typeof written === 'string') {
		return { type: written.endsWith('?') ? [written.slice(0, -1), 'null'] : written };
	}
	if (Array.isArray(written)) return { type: 'array', items: schemaOf(written[0]) };
	const properties = Object.entries(written).map(([name, shape]): [string, Schema] => {
		const schema = schemaOf(shape);
		return name.endsWith('?')
			? [name.slice(0, -1), { ...schema, type: [schema.type as string, 'null'] }]
			: [name, schema];
	});
	return { type: 'object', properties: Object.fromEntries(properties) };
}

const ofOperations = resources.flatMap(({ value, operations }) =>
	operations.map(({ option }) => {
		const shape = others[`${value}.${option.value}`];
		const path = `CommercePlatform/__schema__/v1.0.0/${value}/${option.value}`;
		return [path, shape === undefined ? records[value] : shape] as const;
	}),
);

/** The output schema files, from the root of the repository, each with its content. */
export const OUTPUT_SCHEMAS: Record<string, () => string> = Object.fromEntries(
	[...Object.entries(triggers), ...ofOperations].flatMap(([path, shape]) => {
		const text = shape && JSON.stringify({ ...schemaOf(shape), version: 1 }, null, '\t');
		return text ? [[`nodes/${path}.json`, () => `${text}\n`]] : [];
	}),
);
