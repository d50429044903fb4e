import fastify, { type FastifyInstance } from 'fastify';
import { refuseOtherNames, refuseOtherPages } from './callers';
import { serveOffice } from './office';
import { ARGUMENTS, READ_BY_GET, type Operations } from './operations';

const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * The control API's server: `POST /<operation>` with the arguments as a JSON object, answered with `{ result }`, or 400
 * with `{ error }`. An operation that needs no arguments and changes nothing takes GET too, so that
 * `curl <control>/counters` works. The back office is the page at `/`.
 */
export function controlServer(operations: Operations): FastifyInstance {
	const app: FastifyInstance = fastify({ forceCloseConnections: true, bodyLimit: MAX_BODY_BYTES });
	// Every body is read as JSON, whatever its content type: `curl -d` calls it a form.
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => {
		try {
			done(null, text === '' ? {} : JSON.parse(String(text)));
		} catch (error) {
			done(error as Error);
		}
	});
	app.addHook('onRequest', refuseOtherNames);
	serveOffice(app);
	for (const [name, operation] of Object.entries(operations)) {
		const run = (args: Record<string, unknown>) =>
			(operation as (...args: unknown[]) => unknown)(
				...(ARGUMENTS[name] ?? []).map((argument) => args[argument]),
				args,
			);
		app.route({
			method: ['GET', 'POST'],
			url: `/${name}`,
			onRequest: refuseOtherPages,
			handler: async ({ method, body }, reply) =>
				method === 'POST' || READ_BY_GET.has(name)
					? { result: (await run((body ?? {}) as Record<string, unknown>)) ?? null }
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
