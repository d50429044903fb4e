import type { IWebhookFunctions } from 'n8n-workflow';

import { fetchFullRecord } from '../../../nodes/CommercePlatformTrigger/receive';
import { FakeClock } from '../fakeClock';

/** n8n's context, before a platform that never answers. */
const context = {
	getNode: () => ({ name: 'Trigger', type: 'trigger', parameters: {} }),
	getCredentials: async () => ({ baseUrl: 'https://api.shop.example/v1', apiKey: 'key' }),
	helpers: {
		async httpRequestWithAuthentication(this: {
			getExecutionCancelSignal(): AbortSignal;
		}): Promise<never> {
			return await new Promise((_, reject) => {
				const signal = this.getExecutionCancelSignal();
				signal.addEventListener('abort', () => reject(new Error('aborted')));
			});
		},
	},
} as unknown as IWebhookFunctions;

it('the record may take 5 s', async () => {
	const clock = new FakeClock();
	const delivery = { event: 'order.paid', payload: { id: 'ord_1' } } as never;
	let fetched: Awaited<ReturnType<typeof fetchFullRecord>> | undefined;
	const fetching = fetchFullRecord(context, delivery, clock).then((one) => (fetched = one));
	await clock.advance(4_999);
	expect(fetched).toBeUndefined();
	await clock.advance(1);
	await fetching;
	expect(fetched).toEqual({
		recordError: { message: 'The record did not come within 5 seconds' },
	});
});
