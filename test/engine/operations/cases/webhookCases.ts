import { byId } from '../../../support/parameters';
import { WEBHOOK_URL } from '../shop';
import type { Case } from './case';

export const webhookCases: Case[] = [
	{
		operation: 'webhook.getAll',
		parameters: () => ({ returnAll: true }),
		routes: ['GET /webhooks'],
		query: () => ({}),
		item: ({ webhook }) => ({ id: webhook, url: WEBHOOK_URL }),
	},
	{
		operation: 'webhook.getAll',
		note: 'up to a limit, which is kept here',
		parameters: () => ({ returnAll: false, limit: 1 }),
		routes: ['GET /webhooks'],
		query: () => ({}),
		item: ({ webhook }) => ({ id: webhook }),
	},
	{
		operation: 'webhook.get',
		parameters: ({ webhook }) => ({ webhookId: byId(webhook) }),
		routes: ['GET /webhooks/{id}'],
		item: ({ webhook }) => ({ id: webhook, url: WEBHOOK_URL }),
	},
	{
		operation: 'webhook.get',
		note: 'by its URL',
		parameters: () => ({ webhookId: { __rl: true, mode: 'url', value: WEBHOOK_URL } }),
		routes: ['GET /webhooks', 'GET /webhooks/{id}'],
		item: ({ webhook }) => ({ id: webhook }),
	},
	{
		operation: 'webhook.create',
		parameters: () => ({
			url: 'https://other.example/hook',
			events: ['order.paid', 'product.deleted'],
			additionalFields: { description: 'Mine', otherEvents: 'order.refunded, order.paid' },
		}),
		routes: ['POST /webhooks'],
		body: () => ({
			url: 'https://other.example/hook',
			events: ['order.paid', 'product.deleted', 'order.refunded'],
			description: 'Mine',
		}),
		item: () => ({ url: 'https://other.example/hook', secret: expect.any(String) }),
	},
	{
		operation: 'webhook.delete',
		parameters: ({ webhook }) => ({ webhookId: byId(webhook) }),
		routes: ['DELETE /webhooks/{id}'],
		item: ({ webhook }) => ({ deleted: true, id: webhook }),
	},
	{
		operation: 'webhook.update',
		parameters: ({ webhook }) => ({
			webhookId: byId(webhook),
			updateFields: { events: ['order.created'], otherEvents: 'order.returned' },
			clearFields: ['description'],
		}),
		routes: ['PATCH /webhooks/{id}'],
		body: () => ({ events: ['order.created', 'order.returned'], description: '' }),
		item: ({ webhook }) => ({ id: webhook, events: ['order.created', 'order.returned'] }),
	},
	{
		operation: 'webhook.rotateSecret',
		parameters: ({ webhook }) => ({ webhookId: byId(webhook) }),
		routes: ['POST /webhooks/{id}/rotate_secret'],
		item: ({ webhook }) => ({ id: webhook, secret: expect.any(String) }),
	},
	{
		operation: 'webhook.test',
		parameters: ({ webhook }) => ({ webhookId: byId(webhook) }),
		routes: ['POST /webhooks/{id}/test'],
		item: () => ({ delivery_id: expect.stringMatching(/^del_/) }),
	},
	{
		operation: 'webhook.recreate',
		parameters: ({ webhook }) => ({
			webhookId: byId(webhook),
			updateFields: { description: 'Second' },
		}),
		routes: ['GET /webhooks/{id}', 'POST /webhooks', 'DELETE /webhooks/{id}'],
		item: ({ webhook }) => ({
			url: WEBHOOK_URL,
			events: ['order.paid'],
			description: 'Second',
			secret: expect.any(String),
			replaced: { id: webhook, deleted: true },
		}),
	},
];
