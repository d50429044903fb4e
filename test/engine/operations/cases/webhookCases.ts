import { byMode } from '../../../support/parameters';
import { WEBHOOK_URL } from '../shop';
import { casesOf } from './case';

export const webhookCases = casesOf({
	'webhook.getAll': {
		parameters: () => ({ returnAll: true }),
		item: ({ webhook }) => ({ id: webhook }),
	},
	'webhook.get': {},
	'webhook.get, by its URL': {
		parameters: () => ({ webhookId: byMode('url', WEBHOOK_URL) }),
		routes: ['GET /webhooks', 'GET /webhooks/{id}'],
	},
	'webhook.create': {
		parameters: () => ({
			url: 'https://other.example/hook',
			events: ['order.paid', 'product.deleted'],
			additionalFields: { description: 'Mine', otherEvents: 'order.refunded, order.paid' },
		}),
		item: () => ({ secret: expect.any(String) }),
		least: { url: 'https://least.example/x', events: ['order.paid'] },
	},
	'webhook.delete': {},
	'webhook.update': {
		parameters: () => ({
			updateFields: { events: ['order.created'], otherEvents: 'order.returned' },
			clearFields: ['description'],
		}),
		routes: ['GET /webhooks/{id}', 'PATCH /webhooks/{id}'],
		least: { updateFields: { events: ['order.paid'] } },
	},
	'webhook.rotateSecret': {
		routes: ['GET /webhooks/{id}', 'POST /webhooks/{id}/rotate_secret'],
		item: ({ webhook }) => ({ id: webhook, secret: expect.any(String) }),
	},
	'webhook.test': {
		item: () => ({ delivery_id: expect.stringMatching(/^del_/) }),
	},
	'webhook.recreate': {
		parameters: () => ({ updateFields: { description: 'Second' } }),
		routes: ['GET /webhooks/{id}', 'POST /webhooks', 'DELETE /webhooks/{id}'],
		body: () => ({ url: WEBHOOK_URL, events: ['order.paid'], description: 'Second' }),
		item: ({ webhook }) => ({
			secret: expect.any(String),
			replaced: { id: webhook, deleted: true },
		}),
	},
});
