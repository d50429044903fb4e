import type { IExecuteFunctions } from 'n8n-workflow';

import { Report } from '../../../../nodes/CommercePlatform/runner/report';
import type { PlatformClient } from '../../../../nodes/shared/rest/client';
import { FakeClock } from '../../fakeClock';

/** A run whose client waited this long. @returns its log, and the hints at its end */
function runThat(waited: object, limit?: number) {
	const clock = new FakeClock();
	const [logged, hints]: string[][] = [[], []];
	const context = {
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		getNode: () => ({ name: 'Shop' }),
		logger: { info: (text: string) => logged.push(text.replace(/^Shop: /, '')) },
	} as unknown as IExecuteFunctions;
	const client = {
		clock,
		requestsSent: 10,
		rateLimit: () => ({ limit }),
		waited: { rateLimitMs: 0, retries: 0, longestRetryWaitMs: 0, ...waited },
		onWait: undefined as PlatformClient['onWait'],
	};
	const report = new Report(context, client as unknown as PlatformClient);
	const tell: NonNullable<PlatformClient['onWait']> = (reason, ms) => client.onWait?.(reason, ms);
	return { clock, logged, hints, report, tell };
}

const HELP = 'Fewer requests, a larger plan or a capacity package help.';
const repeated = (requests: string) =>
	`This run repeated ${requests} that failed, and waited up to 10 s for one of them. The platform had faults or was rate limiting.`;

it.each<[object, number | undefined, string[]]>([
	[{ rateLimitMs: 9_999, longestRetryWaitMs: 9_999, retries: 5 }, undefined, []],
	[{ rateLimitMs: 10_000 }, undefined, [`Waited 10 s for the platform’s rate limit. ${HELP}`]],
	[{ rateLimitMs: 119_999 }, undefined, [`Waited 120 s for the platform’s rate limit. ${HELP}`]],
	[{ retries: 1, longestRetryWaitMs: 10_000 }, 100, [repeated('one request')]],
	[{ retries: 7, longestRetryWaitMs: 10_000 }, 100, [repeated('7 requests')]],
])('a run that waited %j, with a limit of %p, says %j', (waited, limit, texts) => {
	const { report, hints } = runThat(waited, limit);
	report.end();
	expect(hints).toEqual(texts);
});

it('reports a wait while it lasts, once for all requests, and at the end beside the output', async () => {
	const { clock, hints, logged, report, tell } = runThat({ rateLimitMs: 540_000 }, 1_200);
	for (const ms of [1_999, 39_210, 39_000]) tell('rateLimit', ms);
	await clock.advance(40_000);
	tell('retry', 8_000);
	report.progress(1_200, undefined, 'records');
	// It reports nothing again within two seconds.
	report.progress(1_300, 2_000, 'records');
	await clock.advance(2_000);
	report.progress(1_400, 2_000, 'records');
	report.end();
	expect(hints).toEqual([
		`Waited 9 min for the platform’s limit of 1,200 requests a minute. ${HELP}`,
	]);
	expect(logged).toEqual([
		'waiting about 40 s for the platform’s limit of 1,200 requests a minute',
		'waiting 8 s before a request that failed is repeated',
		'1,200 records, 10 requests so far',
		'1,400 of 2,000 records, 10 requests so far',
		hints[0],
	]);
});
