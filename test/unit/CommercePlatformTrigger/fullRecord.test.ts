import { FakeClock } from '../fakeClock';
import { received } from './received';

/** A platform that never answers. */
const never = async (signal: AbortSignal): Promise<never> =>
	await new Promise((_, reject) => {
		signal.addEventListener('abort', () => reject(new Error('aborted')));
	});

it('the record may take 5 s', async () => {
	const clock = new FakeClock();
	let item: unknown;
	const receiving = received({
		body: JSON.stringify({ event: 'order.paid', payload: { id: 'ord_1' } }),
		parameters: { getFullRecord: true, options: { ifRecordNotRead: 'startWithout' } },
		clock,
		send: never,
	}).then((json) => (item = json));
	await clock.advance(4_999);
	expect(item).toBeUndefined();
	await clock.advance(1);
	await receiving;
	expect(item).toMatchObject({
		payload: { id: 'ord_1' },
		recordError: {
			message: 'The platform did not answer in time',
			code: 'timeout',
			description: expect.stringContaining('within 5 s') as string,
		},
	});
});
