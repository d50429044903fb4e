import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import addFormats from 'ajv-formats';
import { OpenAPIBackend, SetMatchType, type Request } from 'openapi-backend';
import { parse } from 'yaml';
import type { InDevelopment } from '../settings';

/** What openapi.yaml says about the successful answer of an operation. */
export interface DocumentedAnswer {
	/** Title of its record's schema, e.g. `Order`. */
	record: string;
	form: 'record' | 'list' | 'none' | 'results';
	/** Whether a record is made by it. */
	isCreate: boolean;
	/** x-answer: `shown` where the prose shows `{ data }`, `needed` where no other answer has what it carries. */
	said?: 'shown' | 'needed';
}

/** What openapi.yaml says about one endpoint. */
export interface Operation {
	id: string;
	/** Upper case. */
	method: string;
	/** Path of openapi.yaml, e.g. `/products/{id}`. */
	template: string;
	/** Names of its query parameters. */
	query: ReadonlySet<string>;
	scope?: string;
	plan?: string;
	inDevelopment?: keyof InDevelopment;
	/** Statuses that it documents, `default` included. */
	statuses: ReadonlySet<string>;
	answer: DocumentedAnswer;
	/** Not in openapi.yaml, hence not held against it. */
	isUndocumented?: true;
}

/** A request with the parts of its path decoded. */
type RequestToCheck = Omit<Request, 'method' | 'path'> & { params: Record<string, string> };

/** `body` is parsed; `undefined` = none. */
type ResponseToCheck = { status: number; headers: Record<string, string>; body: unknown };

/** openapi.yaml, compiled once a process. */
export interface Contract {
	/** The file as it is. */
	text: string;
	operations: readonly Operation[];
	/** What is wrong with a request, or `undefined`. */
	requestFault(operation: Operation, request: RequestToCheck): string | undefined;
	/** How a response strays from the document, or `undefined`. */
	responseFault(operation: Operation, response: ResponseToCheck): string | undefined;
}

/** Kept with the library: jest loads this module anew for each file, and compiling its schemas takes seconds. */
const kept = OpenAPIBackend as typeof OpenAPIBackend & { backend?: Promise<OpenAPIBackend> };
let compiled: Promise<Contract> | undefined;

export async function loadContract(): Promise<Contract> {
	compiled ??= compile();
	return await compiled;
}

async function compile(): Promise<Contract> {
	const text = readFileSync(join(__dirname, '..', 'openapi.yaml'), 'utf8');
	const backend = await (kept.backend ??= new OpenAPIBackend({
		definition: parse(text),
		quick: true,
		coerceTypes: true,
		ajvOpts: { strict: false, allErrors: true },
		customizeAjv: (ajv) => addFormats(ajv),
	}).init());
	const operations = backend.router
		.getOperations()
		.map((operation) => toOperation(operation as unknown as Documented));
	const { validator } = backend;
	return {
		text,
		operations,
		requestFault(operation, { params, ...sent }) {
			const path = operation.template.replace(/\{(\w+)\}/g, (_, name: string) =>
				encodeURIComponent(params[name]),
			);
			const request = { ...sent, method: operation.method, path };
			const { errors } = validator.validateRequest(request, operation.id);
			return errors?.length ? describe(errors) : undefined;
		},
		responseFault({ id, statuses }, { status, headers, body }) {
			if (!statuses.has(String(status)) && !(status >= 400 && statuses.has('default'))) {
				return `${status} is not a status of ${id}`;
			}
			const bodyErrors =
				body === undefined ? undefined : validator.validateResponse(body, id, status).errors;
			if (bodyErrors?.length) return `${status}: body ${describe(bodyErrors)}`;
			const headerErrors = validator.validateResponseHeaders(headers, id, {
				statusCode: status,
				setMatchType: SetMatchType.Superset,
			}).errors;
			return headerErrors?.length ? `${status}: ${describe(headerErrors)}` : undefined;
		},
	};
}

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
	responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
	[extension: `x-${string}`]: string | undefined;
}

function toOperation(documented: Documented): Operation {
	const { operationId: id, method, path: template, parameters = [], responses } = documented;
	const status = Object.keys(responses).find((name) => name.startsWith('2'))!;
	const schema = responses[status].content?.['application/json'].schema;
	const data = schema?.properties?.data;
	return {
		id,
		method: method.toUpperCase(),
		template,
		query: new Set(parameters.filter((one) => one.in === 'query').map((one) => one.name)),
		scope: documented['x-scope'],
		plan: documented['x-plan'],
		inDevelopment: documented['x-in-development'] as Operation['inDevelopment'],
		statuses: new Set(Object.keys(responses)),
		answer: {
			record: schema?.title ?? (data?.items ?? data)?.title ?? '',
			form: schema?.title ? 'results' : data?.items ? 'list' : data ? 'record' : 'none',
			isCreate: status === '201' || status === '202',
			said: documented['x-answer'] as DocumentedAnswer['said'],
		},
	};
}

function describe(errors: ReadonlyArray<{ instancePath?: string; message?: string }>): string {
	return errors
		.slice(0, 3)
		.map(({ instancePath = '', message = 'is wrong' }) => {
			const place = instancePath.replace(/^\/(requestBody|query|header|headers|path)\b/, '');
			return `${place.slice(1).replaceAll('/', '.')} ${message}`.trim();
		})
		.join('; ');
}
