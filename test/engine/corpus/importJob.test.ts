import type { IDataObject } from 'n8n-workflow';

import * as clocks from '../../../nodes/shared/rest/clock';
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
	/** The states of the job, one for each look, the last one again and again. */
	looks?: Answer[];
}

const answerOf = ({ status, body, headers }: Answer): StubAnswer => [status, body, headers];

/** The wait between two looks ends at once; the clock moves by its length. */
beforeEach(() => {
	let waitedMs = 0;
	jest
		.spyOn(clocks.systemClock, 'monotonic')
		.mockImplementation(() => performance.now() + waitedMs);
	jest.spyOn(clocks, 'pause').mockImplementation(async (_clock, ms) => {
		waitedMs += ms;
		return await Promise.resolve();
	});
});
afterEach(() => jest.restoreAllMocks());

/** Import Catalog of three products; if a case has looks, with Wait for the Job. */
playCorpus<Given, { job: 'done' | 'running' | 'failed' }>(
	['import-job.json', 'import-job-more.json'],
	async ({ start, looks = [] }, { job }) => {
		const requests = stubApi({
			'POST /jobs/catalog-import': [answerOf(start)],
			...(looks.length > 0 && { 'GET *': looks.map(answerOf) }),
		});
		const options = looks.length > 0 ? { waitForJob: 1 } : {};
		const { error, hint, items } = await runOperation(
			'product.importCatalog',
			{ specifyProduct: 'defineBelow', sku: '={{ $json.sku }}', title: 'T', options },
			{ items: ['A', 'B', 'C'].map((sku) => ({ sku })) },
		);
		const starts = requests.filter(({ route }) => route.startsWith('POST'));
		expect(starts).toHaveLength(1);
		expect(error === undefined ? 'started' : 'failed').toBe(
			job === 'failed' ? 'failed' : 'started',
		);
		expect(items).toHaveLength(job === 'failed' ? 0 : 1);
		if (job === 'done') expect(hint).toBe('');
		// Without looks the node never asks for the job's state.
		if (job === 'running' && looks.length > 0)
			expect(hint).toMatch(/not known what became of it|had not finished/);
	},
);
