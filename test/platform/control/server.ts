import fastify, { type FastifyInstance } from 'fastify';
import { refuseOtherNames, refuseOtherPages } from './callers';
import { serveOffice } from './office';
import { operations, READ_BY_GET } from './operations';
import type { Running } from '../running';

const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * The control API's server: `POST /<operation>` with the arguments as a JSON object, answered with
 * `{ result }` or, at 400, `{ error }`. What needs no arguments and changes nothing can be read with GET too,
 * so that `curl <control>/counters` works. The back office is its page at `/`.
 *
 * @param apiUrl the API's address, once it listens.
 */
export function controlServer(running: Running, apiUrl: () => string): FastifyInstance {
	const app: FastifyInstance = fastify({ forceCloseConnections: true, bodyLimit: MAX_BODY_BYTES });
	// Whatever type it is sent as (`curl -d` says it is a form), a body is JSON.
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => {
		try {
			done(null, text === '' ? {} : JSON.parse(String(text)));
		} catch (error) {
			done(error as Error);
		}
	});
	app.addHook('onRequest', refuseOtherNames);
	serveOffice(app);
	for (const [name, operation] of Object.entries(operations(running, apiUrl))) {
		const run = operation as (args: object) => unknown;
		app.route({
			method: ['GET', 'POST'],
			url: `/${name}`,
			onRequest: refuseOtherPages,
			handler: async (request, reply) =>
				request.method === 'POST' || READ_BY_GET.has(name)
					? { result: (await run((request.body ?? {}) as object)) ?? null }
					: reply
							.code(405)
							.header('allow', 'POST')
							.send({ error: `Use POST for ${name}` }),
		});
	}
	app.setErrorHandler(async (error: Error, _request, reply) =>
		reply.code(400).send({ error: error.message }),
	);
	return app;
}
