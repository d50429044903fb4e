import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import addFormats from 'ajv-formats';
import { OpenAPIBackend, ValidationContext, type Request } from 'openapi-backend';
import { parse } from 'yaml';
import type { InDevelopment } from '../settings';

/** What openapi.yaml says about one endpoint. */
export type Operation = ReturnType<typeof toOperation> & {
	/** The operation is not in openapi.yaml, so its requests and answers are not validated. */
	isUndocumented?: true;
};

/** A request with the parts of its path decoded. */
type RequestToCheck = Omit<Request, 'method' | 'path'> & { params: Record<string, string> };

/** `body` is parsed; `undefined` if there is none. */
type ResponseToCheck = { status: number; headers: Record<string, string>; body: unknown };

/** openapi.yaml, compiled once per process. */
export type Contract = Awaited<ReturnType<typeof compile>>;

/**
 * Stored on the library itself: jest loads this module anew for each file, and compiling the schemas takes seconds.
 */
const libraryCache = OpenAPIBackend as typeof OpenAPIBackend & {
	backend?: Promise<OpenAPIBackend>;
	/** Many answers have the same headers. By their description. */
	headerChecks?: Map<string, ReturnType<Ajv['compile']>>;
};
type Ajv = ReturnType<OpenAPIBackend['validator']['getAjv']>;
let compiled: Promise<Contract> | undefined;

export const loadContract = async (): Promise<Contract> => await (compiled ??= compile());

async function compile() {
	const text = readFileSync(join(__dirname, '..', 'openapi.yaml'), 'utf8');
	const backend = await (libraryCache.backend ??= new OpenAPIBackend({
		definition: parse(text),
		quick: true,
		coerceTypes: true,
		// A schema is compiled for each test run and checks little: to optimize its code takes longer than that saves. That
		// the document itself is valid is a test of its own.
		ajvOpts: { strict: false, allErrors: true, validateSchema: false, code: { optimize: false } },
		customizeAjv: (ajv) => addFormats(ajv),
	}).init());
	const listed = backend.router.getOperations();
	/** For an ID, the library would make its list of all operations anew each time. */
	const byId = new Map(listed.map((operation) => [operation.operationId, operation]));
	const operations = listed.map((operation) => toOperation(operation as unknown as Documented));
	const { validator } = backend;
	return {
		/** The text of openapi.yaml. */
		text,
		operations,
		/** What is wrong with a request; `undefined` if it is valid. */
		requestFault(operation: Operation, { params, ...parts }: RequestToCheck) {
			const path = operation.template.replace(/\{(\w+)\}/g, (_, name: string) =>
				encodeURIComponent(params[name]),
			);
			const request = { ...parts, method: operation.method, path };
			const { errors } = validator.validateRequest(request, byId.get(operation.id));
			return errors?.length ? describe(errors) : undefined;
		},
		/** How a response differs from openapi.yaml; `undefined` if it is valid. */
		responseFault({ id, statuses }: Operation, { status, headers, body }: ResponseToCheck) {
			if (!statuses.has(String(status)) && !(status >= 400 && statuses.has('default'))) {
				return `${status} is not a status of ${id}`;
			}
			const operation = byId.get(id)!;
			const bodyErrors =
				body === undefined ? undefined : validator.validateResponse(body, operation, status).errors;
			if (bodyErrors?.length) return `${status}: body ${describe(bodyErrors)}`;
			const { responses } = operation as unknown as Documented;
			const check = headerCheck(validator, (responses[status] ?? responses.default).headers);
			return check({ headers: lowerCased(headers) })
				? undefined
				: `${status}: ${describe(check.errors ?? [])}`;
		},
	};
}

/**
 * The check that an answer has all its documented headers, and each as it is described. The library would compile four
 * for each answer of each operation, which takes a second.
 */
function headerCheck(
	validator: OpenAPIBackend['validator'],
	described: Record<string, { schema?: object }> = {},
) {
	const checks = (libraryCache.headerChecks ??= new Map());
	const properties = lowerCased(
		Object.fromEntries(Object.entries(described).map(([name, { schema = {} }]) => [name, schema])),
	);
	const key = JSON.stringify(properties);
	let check = checks.get(key);
	if (check === undefined) {
		const headers = { type: 'object', properties, required: Object.keys(properties) };
		const ajv = validator.getAjv(ValidationContext.ResponseHeaders, { coerceTypes: true });
		check = ajv.compile({ type: 'object', properties: { headers } });
		checks.set(key, check);
	}
	return check;
}

const lowerCased = <T>(fields: Record<string, T>): Record<string, T> =>
	Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));

interface Schema {
	title?: string;
	items?: Schema;
	properties?: { data?: Schema };
}

/** An operation as openapi.yaml has it, without references. */
interface Documented {
	operationId: string;
	method: string;
	path: string;
	parameters?: Array<{ in: string; name: string }>;
	responses: Record<
		string,
		{
			content?: Record<string, { schema: Schema }>;
			headers?: Record<string, { schema?: object }>;
		}
	>;
	'x-scope'?: string;
	'x-plan'?: string;
	'x-in-development'?: keyof InDevelopment;
	/** `shown` if the API document shows `{ data }`; `needed` if no other answer carries the same information. */
	'x-answer'?: 'shown' | 'needed';
	/** The query parameters in the list's row of the endpoint table, if they are not all of them. */
	'x-row'?: string[];
}

export function toOperation(documented: Documented) {
	const { operationId: id, method, path: template, parameters = [], responses } = documented;
	const status = Object.keys(responses).find((name) => name.startsWith('2'))!;
	const schema = responses[status].content?.['application/json'].schema;
	const data = schema?.properties?.data;
	const singleForm = data ? 'record' : 'none';
	const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
	return {
		id,
		/** Upper case. */
		method: method.toUpperCase(),
		/** Path as in openapi.yaml, e.g. `/products/{id}`. */
		template,
		query: new Set(query),
		row: new Set(documented['x-row'] ?? query),
		scope: documented['x-scope'],
		plan: documented['x-plan'],
		inDevelopment: documented['x-in-development'],
		/** The documented statuses, `default` included. */
		statuses: new Set(Object.keys(responses)),
		/** The successful answer. `record` is the title of its record's schema, e.g. `Order`. */
		answer: {
			record: schema?.title ?? (data?.items ?? data)?.title ?? '',
			form: schema?.title ? 'results' : data?.items ? 'list' : singleForm,
			isCreate: status === '201' || status === '202',
			guarantee: documented['x-answer'],
		},
	};
}

function describe(errors: ReadonlyArray<{ instancePath?: string; message?: string }>): string {
	return errors
		.slice(0, 3)
		.map(({ instancePath = '', message = 'is wrong' }) => {
			const path = instancePath.replace(/^\/(requestBody|query|header|headers|path)\b/, '');
			return `${path.slice(1).replaceAll('/', '.')} ${message}`.trim();
		})
		.join('; ');
}
