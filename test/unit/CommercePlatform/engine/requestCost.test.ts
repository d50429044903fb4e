import type { IExecuteFunctions } from 'n8n-workflow';

import { Report } from '../../../../nodes/CommercePlatform/runner/report';
import type { PlatformClient } from '../../../../nodes/shared/rest/client';
import { FakeClock } from '../../fakeClock';

type Budget = Partial<ReturnType<PlatformClient['rateLimit']>>;

/** The hint of a dry run that would send so many requests. */
function hintOf(requests: number, budget: Budget) {
	const hints: string[] = [];
	const context = {
		logger: { info: () => {} },
		getNode: () => ({ name: 'Shop' }),
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
	} as unknown as IExecuteFunctions;
	const waited = { rateLimitMs: 0, retries: 0, longestRetryWaitMs: 0 };
	const client = { clock: new FakeClock(), requestsSent: 0, waited, rateLimit: () => budget };
	const report = new Report(context, client as unknown as PlatformClient);
	report.wouldSend(requests);
	report.end();
	return hints.join();
}

const BUSINESS = { limit: 300, remaining: 300, dayLimit: 100_000, dayRemaining: 100_000 };

it.each<[number, Budget, string]>([
	[10_000, BUSINESS, '10,000 requests, about 33 minutes at the present limits and 10 %'],
	[301, BUSINESS, '301 requests, about 1 minute at the present limits and 0.3 %'],
	[100, { ...BUSINESS, remaining: 40 }, '100 requests, about 1 minute at'],
	// They fit into the rest of this minute.
	[300, BUSINESS, '300 requests, less than a minute at'],
	[1, BUSINESS, '1 request, less than a minute at the present limits and 0 % of a day’s requests.'],
	// With a limit of zero it would take for ever.
	[
		5,
		{ limit: 0, remaining: 0, dayLimit: 0 },
		'5 requests, about 1 minute at the present limits and 0.03 %',
	],
	// The Starter plan's limits count until the key's own are known.
	[
		10_000,
		{},
		'10,000 requests, about 99 minutes at the present limits and 50 % of a day’s requests (with the limits of the Starter plan, as this key’s own are not known yet).',
	],
])('says what %d requests cost in time and in share of the day, of %j', (requests, known, text) => {
	const hint = hintOf(requests, known);
	expect(hint).toContain(`It would be ${text}`);
	expect(hint).not.toContain('left of today');
});

it('says if it is more than what is left of the day', () => {
	const hint = hintOf(500, { ...BUSINESS, dayRemaining: 400 });
	expect(hint).toContain('more than what is left of today');
});
