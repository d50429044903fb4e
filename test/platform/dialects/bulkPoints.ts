import { openPoint } from './openPoint';

/** Endpoints in development, batches and import jobs. */
export const bulkPoints = {
	inDevelopmentError: openPoint(
		'Endpoints marked in development return errors until announced',
		{
			notImplemented: '501',
			notFound: '404',
			forbidden: '403',
			methodNotAllowed: '405',
			badRequest: '400 INVALID_PARAMETER',
			unavailable: '503',
		},
		'notFound',
	),
	batchStatus: openPoint(
		'207 with per-item errors on partial success when supported',
		{
			multiStatusForErrors: '207 if an item failed, else 200',
			ok: 'always 200',
			multiStatus: 'always 207',
		},
		'ok',
	),
	batchBody: openPoint(
		'POST /v1/products/batch: per-item results',
		{
			data: '`{ data: [result] }`',
			results: '`{ results: [result] }`',
			nested: '`{ data: { results: [result], succeeded, failed } }`',
			bare: 'an array of results',
		},
		'results',
	),
	batchOrder: openPoint(
		'The order of per-item results is not shown',
		{ asSent: 'the order of the operations', reversed: 'the last one first', mixed: 'any order' },
		'mixed',
	),
	batchItems: openPoint(
		'Which items have a result is not shown',
		{
			all: 'one result an operation',
			failures: 'only the operations that failed',
			fewer: 'every third result is missing',
			more: 'results of operations that nobody sent come with them',
			none: 'an empty list',
			noBody: 'no body',
		},
		'failures',
	),
	batchKeys: openPoint(
		'How a result names its operation is not shown',
		{
			indexAndSku: '`index` and `sku`',
			sku: '`sku`',
			index: '`index`, from 0',
			indexFromOne: '`index`, from 1',
			nothing: 'not at all',
		},
		'sku',
	),
	batchResult: openPoint(
		'The shape of a result is not shown',
		{
			status: '`status: 201`, `data` or `error: { code, message }`',
			words: '`status: "created"` or `"failed"`, `product` or `errors: [{ code, message }]`',
			flags: '`success`, `id` or `error` as text',
		},
		'words',
	),
	jobPath: openPoint(
		'POST /v1/jobs/catalog-import: asynchronous job; no path for its state is named',
		{ hidden: 'there is none', shown: 'GET /v1/jobs/{id}' },
		'shown',
	),
	jobStates: openPoint(
		'Bodies and responses of the catalog-import job: not shown',
		{
			status: '`status`: queued, running, completed, failed',
			state: '`state`: PENDING, IN_PROGRESS, SUCCEEDED, FAILED',
			nested: '`job: { id, phase }`: waiting, active, done, aborted',
		},
		'state',
	),
	jobErrors: openPoint(
		'What a job tells of its errors is not shown',
		{ listed: 'the first hundred', counted: 'their number only', absent: 'nothing' },
		'counted',
	),
};
