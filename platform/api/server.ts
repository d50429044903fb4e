import { randomBytes } from 'node:crypto';
import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { Pipeline } from './pipeline';
import { HANDLERS, UNDOCUMENTED } from '../routes';
import { Refusal } from '../shop/refusal';
import type { Handler } from './call';
import type { Contract, Operation } from './contract';
import type { Running } from '../running';

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_ID_CHARACTERS = 100_000;

/**
 * The API's server: one route for each operation of openapi.yaml, all through one pipeline.
 *
 * @throws Error if an operation of openapi.yaml has no handler
 */
export function apiServer(
	running: Running,
	contract: Contract,
	validate: boolean,
): FastifyInstance {
	const pipeline = new Pipeline(running, contract, validate);
	const app: FastifyInstance = fastify({
		genReqId: () => `req_${randomBytes(8).toString('hex')}`,
		bodyLimit: MAX_BODY_BYTES,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: MAX_ID_CHARACTERS },
		frameworkErrors: (error, request, reply) => {
			pipeline.refuse(request, reply, toRefusal(error));
		},
	});
	running.journal.watch(app.server);
	app.removeAllContentTypeParsers();
	// The body stays raw text: the Idempotency-Key's comparison and the journal need it so.
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
		done(null, text);
	});
	const serve = (operation: Operation, handler: Handler) =>
		app.route({
			method: operation.method,
			url: `/v1${operation.template.replace(/\{(\w+)\}/g, ':$1')}`,
			handler: async (request, reply) => pipeline.handle(operation, handler, request, reply),
		});
	for (const operation of contract.operations) {
		const handler = HANDLERS[operation.id];
		if (!handler) throw new Error(`No handler for ${operation.id} of openapi.yaml`);
		serve(operation, handler);
	}
	for (const { operation, handler } of UNDOCUMENTED) serve(operation, handler);
	for (const url of ['/openapi.yaml', '/v1/openapi.yaml']) {
		app.get(url, async (request, reply) => {
			running.journal.note(request.raw, '/openapi.yaml');
			return reply.type('application/yaml; charset=utf-8').send(contract.text);
		});
	}
	app.setNotFoundHandler((request, reply) => {
		pipeline.refuse(request, reply, new Refusal('NOT_FOUND', 'There is no such endpoint'));
	});
	app.setErrorHandler((error: FastifyError, request, reply) => {
		pipeline.refuse(request, reply, toRefusal(error));
	});
	return app;
}

const BY_STATUS = {
	400: 'INVALID_PARAMETER',
	413: 'PAYLOAD_TOO_LARGE',
	415: 'UNSUPPORTED_MEDIA_TYPE',
} as const;

function toRefusal(error: FastifyError): Refusal {
	const code = BY_STATUS[(error.statusCode ?? 500) as keyof typeof BY_STATUS] ?? 'INTERNAL';
	return new Refusal(code, error.message);
}
