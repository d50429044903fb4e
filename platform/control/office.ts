import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const FOLDER = join(__dirname, '..', 'office');
const START = 'index.html';
/** The page's one library, served as it is published. */
const PREACT = '/office/preact.js';

const TYPES: Readonly<Record<string, string>> = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.json': 'application/json; charset=utf-8',
	'.svg': 'image/svg+xml',
};

/** The page loads and runs nothing but its own files. */
const HEADERS = {
	'cache-control': 'no-cache',
	'content-security-policy':
		"default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
};

/** Serves the back office: its page at `/`, and the files that the page loads under `/office/`. */
export function serveOffice(app: FastifyInstance): void {
	const serve = (url: string, type: string, path: string) =>
		app.get(url, async (_request, reply) =>
			reply.headers(HEADERS).type(type).send(readFileSync(path)),
		);
	serve(PREACT, TYPES['.js'], require.resolve('preact'));
	for (const file of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })) {
		const type = TYPES[extname(file)];
		if (type === undefined) continue;
		const url = file === START ? '/' : `/office/${file.replaceAll('\\', '/')}`;
		serve(url, type, join(FOLDER, file));
	}
}
