import type { verifyDelivery } from '../../../../nodes/CommercePlatformTrigger/delivery/verifyDelivery';
import { family, sign as signatureOf } from '../../../support/delivery';

type DeliveryEvidence = Parameters<typeof verifyDelivery>[0];

export const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);
export const NOW_S = NOW_MS / 1000;
export const SECRET = 'signing secret of the endpoint';

export const BODY = Buffer.from(
	JSON.stringify({
		event: 'order.paid',
		timestamp: '2026-11-21T12:00:00.250Z',
		payload: { id: 'ord_1', status: 'paid', total: { amount: 1999, currency: 'EUR' } },
	}),
);

/** What a sender that holds the secret puts into the signature header. */
export const sign = (body: Uint8Array, secret = SECRET): string => signatureOf(body, secret);

/** A genuine delivery as it arrives, with whatever is to be different. */
export function arrival(
	change: Partial<DeliveryEvidence> = {},
	headers: DeliveryEvidence['headers'] = {},
): DeliveryEvidence {
	const body = change.body ?? BODY;
	return {
		body,
		secrets: [SECRET],
		events: ['order.paid'],
		nowMs: NOW_MS,
		repeatsByContent: 'automatic',
		...change,
		headers: {
			'content-type': 'application/json',
			...family('x-shop', sign(body), String(NOW_S), 'del_1'),
			'x-shop-event': 'order.paid',
			...headers,
		},
	};
}
