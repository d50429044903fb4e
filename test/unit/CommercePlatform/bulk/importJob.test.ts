import type { IDataObject } from 'n8n-workflow';

import { importCatalog } from '../../../../nodes/CommercePlatform/bulk/importCatalog';
import {
	jobProgress,
	jobRequest,
	jobState,
	waitForJob,
} from '../../../../nodes/CommercePlatform/bulk/importJob';
import type { BatchCall } from '../../../../nodes/CommercePlatform/engine/batchCall';
import type { PlatformClient } from '../../../../nodes/shared/api/client';
import type { PlatformResponse } from '../../../../nodes/shared/api/request';
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

describe('jobState', () => {
	it.each([
		['queued', 'running'],
		[' In_Progress ', 'running'],
		['in progress', 'running'],
		['Scheduled', 'running'],
		['COMPLETED', 'finished'],
		['completed_with_errors', 'finished'],
		['cancelled', 'failed'],
		['paused', 'unknown'],
	])('takes “%s” for %s', (word, state) => {
		expect(jobState({ status: word })).toBe(state);
		expect(jobState({ job: { state: word } })).toBe(state);
	});

	it('knows no state where there is none', () => {
		expect(jobState({ id: 'job_1', status: 3 })).toBe('notShown');
	});
});

describe('jobProgress', () => {
	it('counts what is done, and nothing where the job does not tell', () => {
		expect(jobProgress({ processed: 0 })).toBe(0);
		expect(jobProgress({ processed: 'all', done: 7 })).toBe(7);
		expect(jobProgress({ processed: '7' })).toBeUndefined();
	});
});

describe('jobRequest', () => {
	it('looks for a job by its ID', () => {
		expect(pathOf({ id: 'job_1' })).toEqual(['/jobs/{jobId}', 'job_1']);
		expect(pathOf({ job_id: 12 })).toEqual(['/jobs/{jobId}', '12']);
		expect(pathOf({ job: { id: 'job_2' } })).toEqual(['/jobs/{jobId}', 'job_2']);
	});

	it('follows a link of the answer before the ID', () => {
		const link = '/v1/jobs/catalog-import/job_9';
		const wanted = ['/jobs/catalog-import/{jobId}', 'job_9'];
		expect(pathOf({ id: 'job_1' }, { location: link })).toEqual(wanted);
		expect(pathOf({ id: 'job_1', links: { self: `https://${HOST}${link}` } })).toEqual(wanted);
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
	const waited = waitForJob(client, { method: 'GET', path: '/jobs/1' }, longestMs, () => undefined);
	for (let at = 0; at <= longestMs; at += 500) await clock.advance(500);
	return await waited;
}

it('looks again at a state in a word that is not known', async () => {
	expect(await waitingFor(['paused', 'paused', 'completed'], 10_000)).toEqual({
		ended: 'finished',
		job: { status: 'completed' },
	});
	expect(await waitingFor(['paused'], 10_000)).toEqual({
		ended: 'tooLong',
		job: { status: 'paused' },
	});
});

it('names the state that it does not know, where the time is over', async () => {
	const clock = new FakeClock();
	const hints: string[] = [];
	const done: IDataObject[] = [];
	const call = {
		entries: [{ itemIndex: 0, fields: { sku: 'A' }, bytes: 11 }],
		client: {
			clock,
			host: HOST,
			request: async () => await Promise.resolve(answer({ status: 'paused' })),
		},
		send: async () => await Promise.resolve(answer({ id: 'job_1' })),
		done: (_items: number[], record: IDataObject) => void done.push(record),
		wasDone: () => false,
		stopped: () => false,
		report: { hint: (text: string) => void hints.push(text), progress: () => undefined },
	} as unknown as BatchCall;
	const options = { batchSize: 10, wholeBodies: false, dryRun: false, waitMs: 10_000 };
	const run = importCatalog(call, options);
	for (let at = 0; at <= 10_000; at += 500) await clock.advance(500);
	await run;
	expect(hints.at(-1)).toContain('calls the state of a job “paused”');
	expect(done).toEqual([{ id: 'job_1', status: 'paused' }]);
});

it('waits no longer where the machine’s clock is set back', async () => {
	const clock = new FakeClock();
	const request = async () => await Promise.resolve(answer({ status: 'running' }));
	const client = { clock, request } as unknown as PlatformClient;
	let ended: string | undefined;
	const waited = waitForJob(client, { method: 'GET', path: '/jobs/1' }, 10_000, () => undefined);
	void waited.then((end) => (ended = end.ended));
	await clock.advance(5_000);
	clock.set(clock.now() - 3_600_000);
	await clock.advance(5_000);
	await clock.advance(0);
	expect(ended).toBe('tooLong');
});
