import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	failuresOf,
	importCatalog,
	jobRequest,
	waitForJob,
} from '../../../../nodes/CommercePlatform/bulk/importCatalog';
import type { BatchCall } from '../../../../nodes/CommercePlatform/run/operation';
import type { PlatformClient } from '../../../../nodes/shared/api/client';
import type { PlatformResponse } from '../../../../nodes/shared/api/request';
import type { PlatformError } from '../../../../nodes/shared/errors/errors';
import { heldItems } from '../../../support/heldItems';
import { FakeClock } from '../../fakeClock';

const HOST = 'api.shop.example';

const answer = (record?: IDataObject, headers: Record<string, string> = {}): PlatformResponse => ({
	status: 202,
	headers,
	body: { data: record },
	record,
});

const pathOf = (record?: IDataObject, headers?: Record<string, string>) => {
	const request = jobRequest(answer(record, headers), HOST);
	return request && [request.path, request.pathParams?.jobId];
};

describe('failuresOf', () => {
	it.each<IDataObject>([
		{ failed: 3 },
		{ rejected: 1 },
		{ failed_count: '2' },
		{ errorCount: 1 },
		{ errors: [{ sku: 'A' }] },
		{ error: 'no title' },
		{ has_errors: true },
		{ job: { failed: 1 } },
		{ summary: { succeeded: 5, invalid_rows: 2 } },
		{ status: 'completed_with_errors' },
		{ status: 'Finished with errors' },
		{ status: 'FAILED' },
		{ status: undefined, state: ' cancelled' },
	])('finds %j', (job) => {
		expect(failuresOf({ id: 'job_1', status: 'completed', ...job })).toBeDefined();
	});

	it.each<IDataObject>([
		{},
		{ status: 'queued' },
		{ status: 'constructor' },
		{ failed: 0, errors: [], error: null, rejected: '0' },
		{ summary: { failed: 0, succeeded: 5 } },
		{ error_report_url: 'https://shop.example/report' },
	])('finds none in %j', (job) => {
		expect(failuresOf({ id: 'job_1', status: 'completed', ...job })).toBeUndefined();
	});
});

describe('jobRequest', () => {
	it('looks for a job by its ID', () => {
		expect(pathOf({ id: 'job_1' })).toEqual(['/jobs/{jobId}', 'job_1']);
		expect(pathOf({ job_id: 12 })).toEqual(['/jobs/{jobId}', '12']);
	});

	it('follows a link of the answer before the ID', () => {
		const link = '/v1/jobs/catalog-import/job_9';
		const wanted = ['/jobs/catalog-import/{jobId}', 'job_9'];
		expect(pathOf({ id: 'job_1' }, { location: link })).toEqual(wanted);
		expect(pathOf({ id: 'job_1' }, { location: `https://${HOST}${link}` })).toEqual(wanted);
	});

	it.each([
		'https://elsewhere.example/v1/jobs/job_9',
		'/v1/products/prod_1',
		'/v1/jobs/catalog-import',
		'/v1/jobs/a/b',
		'https://[not an address',
	])('does not follow %s', (location) => {
		expect(pathOf({ id: 'job_1' }, { location })).toEqual(['/jobs/{jobId}', 'job_1']);
	});

	it('knows no request where the answer names no job', () => {
		expect(pathOf(undefined)).toBeUndefined();
		expect(pathOf({ id: { is: 'odd' } })).toBeUndefined();
	});
});

/** Waits for a job that has these states, one a look, the last one again and again. */
async function waitingFor(states: string[], longestMs: number) {
	const clock = new FakeClock();
	const request = async () => {
		const status = states.length > 1 ? states.shift() : states[0];
		return await Promise.resolve(answer({ status }));
	};
	const client = { clock, request } as unknown as PlatformClient;
	const waited = waitForJob(client, { method: 'GET', path: '/jobs/1' }, longestMs);
	for (let at = 0; at <= longestMs; at += 500) await clock.advance(500);
	return await waited;
}

describe('waiting for a job', () => {
	it.each(['completed', 'DONE', ' Finished', 'succeeded', 'failed', 'done with errors'])(
		'ends with “%s”',
		async (word) => {
			expect(await waitingFor(['queued', 'paused', word, 'open'], 60_000)).toEqual({
				status: word,
			});
		},
	);

	it('never takes a word for an end that is not known', async () => {
		const END = /^\W*(completed|done|finished|succeeded|aborted|cancell?ed|error|failed)\W*$|with/i;
		const word = fc
			.string({ minLength: 1 })
			.filter((text) => text.trim() !== '' && !END.test(text));
		await fc.assert(
			fc.asyncProperty(word, async (status) => {
				expect(await waitingFor([status, 'completed'], 10_000)).toEqual({ status: 'completed' });
			}),
			{ numRuns: 50 },
		);
	});

	it('is over with its time', async () => {
		expect(await waitingFor(['paused'], 10_000)).toEqual({ status: 'paused' });
	});
});

/** An import of one product, whose job is answered so, and shown so afterwards. */
async function importing(first: IDataObject, shown: IDataObject, waitMs = 0) {
	const clock = new FakeClock();
	const seen = {
		hints: [] as string[],
		done: [] as IDataObject[],
		failed: [] as string[],
		refused: 0,
	};
	const call = {
		items: heldItems([{ sku: 'A' }]),
		client: {
			clock,
			host: HOST,
			request: async () => await Promise.resolve(answer(shown)),
		},
		send: async () => await Promise.resolve(answer(first)),
		done: (_items: unknown, record: IDataObject) => void seen.done.push(record),
		failed: (_items: unknown, { details }: PlatformError) =>
			void seen.failed.push(details.hint ?? ''),
		refused: () => seen.refused++,
		stopped: () => false,
		report: { hint: (text: string) => void seen.hints.push(text), progress: () => undefined },
	} as unknown as BatchCall;
	const run = importCatalog(call, { batchSize: 10, wholeBodies: false, dryRun: false, waitMs });
	for (let at = 0; at <= 10_000; at += 500) await clock.advance(500);
	await run;
	return seen;
}

it('names the state that it does not know, where the time is over', async () => {
	const seen = await importing({ id: 'job_1' }, { status: 'paused' }, 10_000);
	expect(seen.hints.at(-1)).toContain('calls its state “paused”');
	expect(seen.done).toEqual([{ id: 'job_1', status: 'paused' }]);
});

describe('a job that did not write all', () => {
	it.each<[string, IDataObject, number]>([
		['failed', { status: 'failed' }, 1],
		['ended with errors', { status: 'completed_with_errors' }, 0],
		['counts what it rejected', { status: 'completed', rejected: 2 }, 0],
		['lists what failed', { status: 'succeeded', errors: [{ sku: 'A' }] }, 0],
	])(
		'is an error where it %s, in the first answer or when it is shown',
		async (_how, job, refused) => {
			const shown = [
				await importing({ id: 'job_1', ...job }, {}),
				await importing({ id: 'job_1', ...job }, { id: 'job_1', ...job }, 10_000),
				await importing({ id: 'job_1' }, { id: 'job_1', ...job }, 10_000),
			];
			for (const seen of shown) {
				expect(seen.done).toEqual([]);
				expect(seen.failed).toEqual([expect.stringContaining('job_1')]);
				expect(seen.refused).toBe(refused);
			}
		},
	);
});

it('waits no longer where the machine’s clock is set back', async () => {
	const clock = new FakeClock();
	const request = async () => await Promise.resolve(answer({ status: 'running' }));
	const client = { clock, request } as unknown as PlatformClient;
	let job: IDataObject | undefined;
	const waited = waitForJob(client, { method: 'GET', path: '/jobs/1' }, 10_000);
	void waited.then((last) => (job = last));
	await clock.advance(5_000);
	clock.set(clock.now() - 3_600_000);
	await clock.advance(5_000);
	await clock.advance(0);
	expect(job).toEqual({ status: 'running' });
});
