import fastify, { type FastifyInstance } from 'fastify';
import { refuseOtherPages, serveOffice } from './office';
import { operations } from './operations';
import type { Running } from '../running';

const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * The control API's server: `POST /<operation>` with the arguments as a JSON object, answered with
 * `{ result }` or, at 400, `{ error }`. Operations without arguments can be read with GET too, so
 * that `curl <control>/counters` works. The back office is its page at `/`.
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
	refuseOtherPages(app);
	serveOffice(app);
	for (const [name, operation] of Object.entries(operations(running, apiUrl))) {
		const run = operation as (args: object) => unknown;
		app.route({
			method: ['GET', 'POST'],
			url: `/${name}`,
			handler: async (request) => ({
				result: (await run((request.body ?? {}) as object)) ?? null,
			}),
		});
	}
	app.setErrorHandler(async (error: Error, _request, reply) =>
		reply.code(400).send({ error: error.message }),
	);
	return app;
}
