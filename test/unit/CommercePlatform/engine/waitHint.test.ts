import type { IExecuteFunctions } from 'n8n-workflow';

import { Report, waitHint } from '../../../../nodes/CommercePlatform/engine/report';
import type { PlatformClient, WaitSummary } from '../../../../nodes/shared/api/client';
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
		[10_000, '10 seconds'],
		[119_499, '119 seconds'],
		[119_500, '2 minutes'],
		[600_000, '10 minutes'],
	])('for the rate limit for %d ms says so', (rateLimitMs, words) => {
		expect(waitHint(waits({ rateLimitMs }))).toBe(
			`This run waited ${words} because the request budget of the API key was used up. Fewer requests, a larger plan or a capacity package help.`,
		);
	});

	it.each([
		[1, 'one request'],
		[7, '7 requests'],
	])('between %d attempts says so', (retries, words) => {
		expect(waitHint(waits({ retries, longestRetryWaitMs: 10_000 }))).toBe(
			`This run repeated ${words} that failed, and waited up to 10 seconds for one of them. The platform had faults or was rate limiting.`,
		);
	});

	it('shows it beside its output', () => {
		const hints: unknown[] = [];
		const logged: string[] = [];
		const context = {
			addExecutionHints: (hint: unknown) => hints.push(hint),
			getNode: () => ({ name: 'Shop' }),
			logger: { info: (text: string) => logged.push(text) },
		};
		const client = {
			clock: new FakeClock(),
			requestsSent: () => 10,
			rateLimit: () => ({}),
			waits: () => waits({ rateLimitMs: 540_000 }),
		};
		const report = new Report(
			context as unknown as IExecuteFunctions,
			client as unknown as PlatformClient,
		);
		report.end();
		expect(hints).toEqual([
			{ type: 'info', message: expect.stringContaining('waited 9 minutes') as string },
		]);
		expect(logged).toEqual([expect.stringMatching(/^Shop: .*waited 9 minutes/)]);
	});
});
