import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import Ajv from 'ajv';

const ROOT = join(__dirname, '../../../nodes/CommercePlatform/__schema__/v1.0.0');
const ajv = new Ajv({ strict: false, allErrors: true });

interface Schema {
	properties?: Record<string, Schema>;
	items?: Schema;
	required?: string[];
}

/** The same schema, with every property required. */
const inFull = ({ properties, items, ...schema }: Schema): Schema => ({
	...schema,
	...(items && { items: inFull(items) }),
	...(properties && {
		properties: Object.fromEntries(
			Object.entries(properties).map(([name, property]) => [name, inFull(property)]),
		),
		required: Object.keys(properties),
	}),
});

/**
 * How an item differs from its operation's output schema, which the editor shows before a run: a missing field, or
 * another type. Undefined without a schema.
 *
 * @param operation e.g. `order.cancel`
 */
export function schemaFaults(operation: string, item: unknown): string[] | undefined {
	const file = join(ROOT, `${operation.replace('.', '/')}.json`);
	if (!existsSync(file)) return undefined;
	const { version, ...schema } = JSON.parse(readFileSync(file, 'utf8')) as { version: number };
	if (version !== 1) throw new Error(`${file} has no version`);
	ajv.validate(inFull(schema), item);
	return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
