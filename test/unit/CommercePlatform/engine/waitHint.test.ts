import type { IExecuteFunctions } from 'n8n-workflow';

import { Report, waitHint, waitingText } from '../../../../nodes/CommercePlatform/run/report';
import type { PlatformClient, Wait, WaitSummary } from '../../../../nodes/shared/api/client';
import { FakeClock } from '../../fakeClock';

const waits = (more: Partial<WaitSummary> = {}): WaitSummary => ({
	rateLimitMs: 0,
	retries: 0,
	longestRetryWaitMs: 0,
	...more,
});

describe('a run that waited', () => {
	it('says nothing below ten seconds', () => {
		expect(waitHint(waits())).toBeUndefined();
		expect(waitHint(waits({ rateLimitMs: 9_999, longestRetryWaitMs: 9_999, retries: 5 }))).toBe(
			undefined,
		);
	});

	it.each([
		[10_000, '10 s'],
		[119_999, '120 s'],
		[120_000, '2 min'],
		[600_000, '10 min'],
	])('for the rate limit for %d ms says so', (rateLimitMs, words) => {
		expect(waitHint(waits({ rateLimitMs }))).toBe(
			`Waited ${words} for the platform’s rate limit. Fewer requests, a larger plan or a capacity package help.`,
		);
	});

	it('names the limit where it is known', () => {
		expect(waitHint(waits({ rateLimitMs: 118_000 }), 1200)).toMatch(
			/^Waited 118 s for the platform’s limit of 1,200 requests a minute\./,
		);
	});

	it.each([
		[
			{ reason: 'rateLimit', ms: 43_210 },
			100,
			'waiting about 44 s for the platform’s limit of 100 requests a minute',
		],
		[
			{ reason: 'rateLimit', ms: 1_200 },
			undefined,
			'waiting about 2 s for the platform’s rate limit',
		],
		[
			{ reason: 'retry', ms: 120_000 },
			100,
			'waiting 2 min before a request that failed is repeated',
		],
	] as const)('says so while it waits: %p', (wait, limit, text) => {
		expect(waitingText(wait, limit)).toBe(text);
	});

	it.each([
		[1, 'one request'],
		[7, '7 requests'],
	])('between %d attempts says so', (retries, words) => {
		expect(waitHint(waits({ retries, longestRetryWaitMs: 10_000 }))).toBe(
			`This run repeated ${words} that failed, and waited up to 10 s for one of them. The platform had faults or was rate limiting.`,
		);
	});

	it('says it while it waits, once for all its requests, and at its end beside the output', async () => {
		const clock = new FakeClock();
		const hints: unknown[] = [];
		const logged: string[] = [];
		let tell: (wait: Wait) => void = () => undefined;
		const context = {
			addExecutionHints: (hint: unknown) => hints.push(hint),
			getNode: () => ({ name: 'Shop' }),
			logger: { info: (text: string) => logged.push(text) },
		};
		const client = {
			clock,
			requestsSent: () => 10,
			rateLimit: () => ({ limit: 100 }),
			waits: () => waits({ rateLimitMs: 540_000 }),
			onWait: (listener: typeof tell) => void (tell = listener),
		};
		const report = new Report(
			context as unknown as IExecuteFunctions,
			client as unknown as PlatformClient,
		);
		for (const ms of [1_999, 40_000, 39_000]) tell({ reason: 'rateLimit', ms });
		await clock.advance(40_000);
		tell({ reason: 'retry', ms: 8_000 });
		report.progress(1_200, undefined, 'records');
		// Not again within two seconds.
		report.progress(1_300, 2_000, 'records');
		await clock.advance(2_000);
		report.progress(1_400, 2_000, 'records');
		report.end();
		expect(hints).toEqual([
			{ type: 'info', message: expect.stringMatching(/^Waited 9 min/) as string },
		]);
		expect(logged).toEqual([
			'Shop: waiting about 40 s for the platform’s limit of 100 requests a minute',
			'Shop: waiting 8 s before a request that failed is repeated',
			'Shop: 1,200 records, 10 requests so far',
			'Shop: 1,400 of 2,000 records, 10 requests so far',
			expect.stringMatching(/^Shop: Waited 9 min/),
		]);
	});
});
