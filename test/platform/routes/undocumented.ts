import { resource, type Handler } from '../api/call';
import { notFound } from '../shop/refusal';
import type { Operation } from '../api/contract';

/**
 * GET /jobs/{id}: the API document names no path for the state of a job. Some platforms have this one
 * (`jobPath`).
 */
const getImportJob: Handler = ({ world, params }) => {
	if (world.settings.dialect.jobPath === 'hidden') throw notFound('such endpoint');
	const job = world.imports.get(params.id);
	if (!job) throw notFound(`job ${params.id}`);
	return resource(job);
};

/** Endpoints that are not in openapi.yaml, and that only some dialects have. */
export const UNDOCUMENTED: ReadonlyArray<{ operation: Operation; handler: Handler }> = [
	{
		operation: {
			id: 'getImportJob',
			method: 'GET',
			template: '/jobs/{id}',
			query: new Set(),
			scope: 'products.read',
			statuses: new Set(['200']),
			isUndocumented: true,
		},
		handler: getImportJob,
	},
];
