import type { IDataObject } from 'n8n-workflow';

import { runOperation } from '../../support/engine/runNode';
import { type StubAnswer, stubApi } from '../../support/engine/stubApi';
import { playCorpus } from './corpusCase';

interface Answer {
	status: number;
	body?: IDataObject;
	headers?: Record<string, string>;
}

interface Given {
	start: Answer;
}

const answerOf = ({ status, body, headers }: Answer): StubAnswer => [status, body, headers];

/** Import Catalog of three products: the item is the job as it was answered. */
playCorpus<Given, { job: 'done' | 'running' | 'failed' }>(
	['import-job.json'],
	async ({ start }, { job }) => {
		const requests = stubApi({ 'POST /jobs/catalog-import': [answerOf(start)] });
		const { error, items } = await runOperation(
			'product.importCatalog',
			{ specifyProduct: 'defineBelow', sku: '={{ $json.sku }}', title: 'T' },
			{ items: ['A', 'B', 'C'].map((sku) => ({ sku })) },
		);
		const starts = requests.filter(({ route }) => route.startsWith('POST'));
		expect(starts).toHaveLength(1);
		expect(error === undefined ? 'started' : 'failed').toBe(
			job === 'failed' ? 'failed' : 'started',
		);
		expect(items).toHaveLength(job === 'failed' ? 0 : 1);
	},
);

it.each<[string, IDataObject]>([
	['has begun', { id: 'job_1', state: 'PENDING', progress: 0, result: null }],
	[
		'counts what it did',
		{ id: 'job_1', state: 'COMPLETED', result: { processed: 3, imported: 2 } },
	],
	['counts at its own top', { id: 'job_1', total: 3, succeeded: 2, failed: 1 }],
])('the item shows the job’s own counts, and no other: a job that %s', async (_what, data) => {
	stubApi({ 'POST /jobs/catalog-import': [[202, { data }]] });
	const { json, hint } = await runOperation(
		'product.importCatalog',
		{ specifyProduct: 'autoMapInputData' },
		{ items: ['A', 'B', 'C'].map((sku) => ({ sku, title: 'T' })) },
	);
	expect(json).toEqual([data]);
	expect(hint).toBe('');
});
