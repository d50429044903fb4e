import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import addFormats from 'ajv-formats';
import { OpenAPIBackend, SetMatchType, type Request } from 'openapi-backend';
import { parse } from 'yaml';
import type { InDevelopment } from '../settings';

/** What openapi.yaml says about the successful answer of an operation. */
export interface DocumentedAnswer {
	/** Schema of its record, e.g. `Order`, also of an `OrderDetail`. */
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
	const written = parse(text) as Written;
	const backend = await (kept.backend ??= new OpenAPIBackend({
		definition: parse(text),
		quick: true,
		coerceTypes: true,
		ajvOpts: { strict: false, allErrors: true },
		customizeAjv: (ajv) => addFormats(ajv),
	}).init());
	const operations = backend.router
		.getOperations()
		.map((operation) => toOperation(operation, written));
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

interface Reference {
	$ref?: string;
	items?: Reference;
	properties?: { data?: Reference };
}

/** An operation as openapi.yaml has it. */
interface WrittenOperation {
	responses: Record<string, { content?: Record<string, { schema: Reference }> }>;
	[extension: `x-${string}`]: string | undefined;
}

interface Written {
	paths: Record<string, Record<string, WrittenOperation>>;
}

interface DocumentedOperation extends WrittenOperation {
	operationId?: string;
	method: string;
	path: string;
	parameters?: unknown[];
}

function toOperation(raw: unknown, { paths }: Written): Operation {
	const documented = raw as DocumentedOperation;
	const { path, method } = documented;
	const parameters = (documented.parameters ?? []) as Array<{ in: string; name: string }>;
	return {
		id: String(documented.operationId),
		method: documented.method.toUpperCase(),
		template: documented.path,
		query: new Set(parameters.filter((one) => one.in === 'query').map((one) => one.name)),
		scope: documented['x-scope'],
		plan: documented['x-plan'],
		inDevelopment: documented['x-in-development'] as Operation['inDevelopment'],
		statuses: new Set(Object.keys(documented.responses)),
		answer: answerOf(paths[path][method]),
	};
}

const RECORD = /\/(\w+?)(Detail|WithSecret)?$/;

/** Reads the answer as it is written, where references still name the schema of its record. */
function answerOf(operation: WrittenOperation): DocumentedAnswer {
	const { responses } = operation;
	const status = Object.keys(responses).find((name) => name.startsWith('2'))!;
	const schema = responses[status].content?.['application/json'].schema;
	const data = schema?.properties?.data;
	const reference = data?.items?.$ref ?? data?.$ref ?? schema?.$ref ?? '';
	return {
		record: RECORD.exec(reference)?.[1] ?? '',
		form: data?.items ? 'list' : data ? 'record' : schema ? 'results' : 'none',
		isCreate: status === '201' || status === '202',
		said: operation['x-answer'] as DocumentedAnswer['said'],
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
