import type { IDataObject } from 'n8n-workflow';

import {
	jobProgress,
	jobRequest,
	jobState,
	waitForJob,
} from '../../../../nodes/CommercePlatform/bulk/importJob';
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
		['COMPLETED', 'finished'],
		['completed_with_errors', 'finished'],
		['cancelled', 'failed'],
		['paused', 'unknown'],
	])('takes “%s” for %s', (word, state) => {
		expect(jobState({ status: word })).toBe(state);
		expect(jobState({ job: { state: word } })).toBe(state);
	});

	it('knows no state where there is none', () => {
		expect(jobState({ id: 'job_1', status: 3 })).toBe('unknown');
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
