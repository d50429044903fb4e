import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import Ajv from 'ajv';

const ROOT = join(__dirname, '../../../nodes/CommercePlatform/__schema__/v1.0.0');
const ajv = new Ajv({ strict: false, allErrors: true });

/** The fields that the editor shows before an operation has run. */
export interface OutputSchema {
	/** How an item strays from the schema: a field that is missing, or of another type. */
	faults(item: unknown): string[];
}

/**
 * Reads an operation's output schema from where n8n looks for it.
 *
 * @param operation e.g. `order.cancel`
 */
export function schemaOf(operation: string): OutputSchema | undefined {
	const file = join(ROOT, `${operation.replace('.', '/')}.json`);
	if (!existsSync(file)) return undefined;
	const { version, ...schema } = JSON.parse(readFileSync(file, 'utf8')) as {
		version: number;
		properties: Record<string, unknown>;
	};
	if (version !== 1) throw new Error(`${file} has no version`);
	const validate = ajv.compile({ ...schema, required: Object.keys(schema.properties) });
	return {
		faults: (item) =>
			validate(item)
				? []
				: (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`),
	};
}
