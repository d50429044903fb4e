import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { importCatalog } from '../../../../nodes/CommercePlatform/products/importCatalog';
import type { BulkCall } from '../../../../nodes/CommercePlatform/runner/operation';
import type { PlatformRequest, PlatformResponse } from '../../../../nodes/shared/rest/request';
import type { PlatformError } from '../../../../nodes/shared/rest/errors';
import { bulkItems } from '../../../support/bulkItems';
import { FakeClock } from '../../fakeClock';

const HOST = 'api.shop.example';

const answer = (record?: IDataObject, headers: Record<string, string> = {}): PlatformResponse => ({
	status: 202,
	headers,
	body: { data: record },
	record,
});

/**
 * Imports one product.
 *
 * @param first the answer to the import
 * @param shown the states of its job, one for each look, the last one again and again
 * @param minutes how long to wait for the job
 */
async function importing(
	first: PlatformResponse,
	shown: IDataObject[] = [{}],
	minutes = 0,
	clock = new FakeClock(),
) {
	const [hints, done, failed]: [string[], IDataObject[], string[]] = [[], [], []];
	const seen = { hints, done, failed, refused: 0, looks: [] as unknown[] };
	const looks = [...shown];
	const call = {
		items: bulkItems([{ sku: 'A' }]),
		options: { waitForJob: minutes },
		parameter: (_name: string, fallback: unknown) => fallback,
		client: {
			clock,
			host: HOST,
			request: async ({ path, pathParams }: PlatformRequest) => {
				seen.looks.push([path, pathParams?.jobId]);
				return await Promise.resolve(answer(looks.length > 1 ? looks.shift() : looks[0]));
			},
		},
		send: async () => await Promise.resolve(first),
		done: (_items: unknown, record: IDataObject) => void done.push(record),
		failed: (_items: unknown, { details }: PlatformError) => void failed.push(details.hint ?? ''),
		refused: () => seen.refused++,
		stopped: () => false,
		report: { hint: (text: string) => void hints.push(text), progress: () => undefined },
	} as unknown as BulkCall;
	let isOver = false;
	const run = importCatalog(call).finally(() => (isOver = true));
	for (let at = 0; !isOver && at <= minutes * 60_000 + 500; at += 500) await clock.advance(500);
	await run;
	return seen;
}

const WORDS = ['completed', 'DONE', ' Finished', 'succeeded'];
const JOB = { id: 'job_1', type: 'import', status: 'completed', created_at: '2026-01-01' };

describe('a job that says that it is finished', () => {
	it.each<IDataObject>([
		...WORDS.map((status) => ({ status })),
		{ status: undefined, state: 'Completed' },
		{ failed: 0, errors: [], error: null, rejected: '0', has_errors: false },
		{ total: 5, processed: 5, succeeded: 5, progress: 100 },
		{ summary: { failed: 0, total: 5, succeeded: 5 }, total: 5 },
		{ message: 'All imported', links: { self: '/jobs/1' }, duration_ms: 9, progress: 100 },
		{ errors_url: 'https://api.shop.example/errors.csv', requested_by: { status: 'active' } },
	])('is done with %j', async (job) => {
		const seen = await importing(answer({ ...JOB, ...job }));
		expect([seen.done.length, seen.failed]).toEqual([1, []]);
	});

	it.each<[IDataObject, string]>([
		[{ failed: 3 }, '“failed” is 3'],
		[{ errors: [{ sku: 'A' }] }, '“errors” is [{"sku":"A"}]'],
		[{ has_errors: true }, '“has_errors”'],
		[{ summary: { products: { failed: 2 } } }, '“failed” is 2'],
		[{ results: [{ sku: 'A', status: 'failed' }] }, '“results” is'],
		[{ total: 5, succeeded: 3 }, '“succeeded” is 3'],
		[{ succeeded: 0 }, '“succeeded” is 0'],
		[{ total: 5, summary: { processed: 4 } }, '“processed” is 4'],
		[{ success: false }, '“success” is false'],
		[{ status: 'completed_with_errors' }, '“status” is "completed_with_errors"'],
		[{ status: 'FAILED' }, '“status” is "FAILED"'],
		[{ status: undefined, state: ' cancelled' }, '“state” is " cancelled"'],
	])('is no success with %j, in the first answer or when it is shown', async (more, doubt) => {
		const job: IDataObject = { ...JOB, ...more };
		const isFailed = /^ ?(failed|cancelled)$/i.test(String(job.status ?? job.state));
		for (const seen of [
			await importing(answer(job)),
			await importing(answer(job), [job], 1),
			await importing(answer({ id: 'job_1' }), [{ status: 'queued' }, job], 1),
		]) {
			expect(seen.done).toEqual([]);
			expect(seen.failed).toEqual([expect.stringContaining(doubt)]);
			expect(seen.failed[0]).toContain('job_1');
			// A job that did a part keeps its key.
			expect(seen.refused).toBe(isFailed ? 1 : 0);
		}
	});

	it('counts as done with any further field that does not mention failures', async () => {
		const name = fc.stringMatching(/^x_[a-z]{0,9}$/);
		await fc.assert(
			fc.asyncProperty(fc.dictionary(name, fc.jsonValue()), async (more) => {
				const seen = await importing(answer({ ...JOB, ...(more as IDataObject) }));
				expect([seen.done.length, seen.failed]).toEqual([1, []]);
			}),
			{ numRuns: 50 },
		);
	});
});

it.each<IDataObject>([
	...[{ rejected: 2 }, { failed_count: 1 }, { invalid_rows: 1 }],
	{ status: 'queued', errors: ['A'] },
	{ status: 'queued', success: false },
	{ status: 'queued', state: 'failed' },
	{ status: 'completed', state: 'failed' },
	{ job: { status: 'failed' } },
])('a job that has only begun is no success with %j either', async (job) =>
	expect((await importing(answer({ id: 'job_1', ...job }))).failed).toHaveLength(1),
);

it('another job in the answer says nothing about the requested one', async () => {
	const { hints } = await importing(answer({ id: 'job_1' }), [{ ...JOB, id: 'job_9' }], 1);
	expect(hints).toEqual([expect.stringContaining('could not be read to the end')]);
});

describe('the address of a job', () => {
	const link = '/v1/jobs/catalog-import/job_9';
	const ofLink = ['/jobs/catalog-import/{jobId}', 'job_9'];
	const ofId = ['/jobs/{jobId}', 'job_1'];

	type Address = [IDataObject | undefined, string | undefined, string[] | undefined];

	it.each<Address>([
		[{ job_id: 12 }, undefined, ['/jobs/{jobId}', '12']],
		...[link, `https://${HOST}${link}`].map((one): Address => [{ id: 'job_1' }, one, ofLink]),
		...[
			...[undefined, 'https://elsewhere.example/v1/jobs/job_9', 'https://[not an address'],
			...['/v1/products/prod_1', '/v1/jobs/catalog-import', '/v1/jobs/a/b'],
		].map((one): Address => [{ id: 'job_1' }, one, ofId]),
		[undefined, undefined, undefined],
		[{ id: { is: 'odd' } }, undefined, undefined],
	])('of %j is its link %p, or else its ID: %j', async (record, location, expected) => {
		const headers: Record<string, string> = location === undefined ? {} : { location };
		const { looks } = await importing(answer(record, headers), [{ status: 'done' }], 1);
		expect(looks[0]).toEqual(expected);
	});
});

describe('waiting for a job', () => {
	const waitingFor = async (states: string[], clock?: FakeClock) => {
		const shown = states.map((status) => ({ status }));
		return await importing(answer({ id: 'job_1' }), shown, 1, clock);
	};

	it.each([...WORDS, 'failed', 'done with errors'])('ends with “%s”', async (word) => {
		const seen = await waitingFor(['queued', 'paused', word, 'open']);
		expect(seen.looks).toHaveLength(3);
	});

	it('never takes an unknown word for an end', async () => {
		// Letters that form no word for an end in any language.
		const word = fc.stringMatching(/^[bghjkqvwxz]{1,12}(?:[ _-][bghjkqvwxz]{1,12})?$/);
		await fc.assert(
			fc.asyncProperty(word, async (status) => {
				expect((await waitingFor([status, 'completed'])).looks).toHaveLength(2);
			}),
			{ numRuns: 50 },
		);
	});

	it('ends after its time, and names the unknown state', async () => {
		const seen = await waitingFor(['paused']);
		expect(seen.hints.at(-1)).toContain('calls its state “paused”');
		expect(seen.done).toEqual([{ id: 'job_1', status: 'paused' }]);
	});

	it('does not take longer if the machine’s clock is set back', async () => {
		const clock = new FakeClock();
		const waited = waitingFor(['running'], clock);
		clock.set(clock.now() - 3_600_000);
		expect((await waited).done).toHaveLength(1);
	});
});
