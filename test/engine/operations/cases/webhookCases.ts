import { byId } from '../../../support/parameters';
import { WEBHOOK_URL } from '../shop';
import type { Case } from './case';

export const webhookCases: Case[] = [
	{
		operation: 'webhook.getAll',
		parameters: () => ({ returnAll: true }),
		routes: ['GET /webhooks'],
		query: () => ({}),
		item: ({ webhook }) => ({ id: webhook }),
	},
	{
		operation: 'webhook.getAll',
		note: 'up to a limit, which is kept here',
		parameters: () => ({ returnAll: false, limit: 1 }),
		routes: ['GET /webhooks'],
		query: () => ({}),
	},
	{
		operation: 'webhook.get',
		parameters: ({ webhook }) => ({ webhookId: byId(webhook) }),
		routes: ['GET /webhooks/{id}'],
		item: ({ webhook }) => ({ id: webhook }),
	},
	{
		operation: 'webhook.get',
		note: 'by its URL',
		parameters: () => ({ webhookId: { __rl: true, mode: 'url', value: WEBHOOK_URL } }),
		routes: ['GET /webhooks', 'GET /webhooks/{id}'],
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
		item: () => ({ secret: expect.any(String) }),
		isOwn: true,
		least: { url: 'https://least.example/x', events: ['order.paid'] },
	},
	{
		operation: 'webhook.delete',
		parameters: ({ webhook }) => ({ webhookId: byId(webhook) }),
		routes: ['DELETE /webhooks/{id}'],
		item: ({ webhook }) => ({ deleted: true, id: webhook }),
		isOwn: true,
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
		item: ({ webhook }) => ({ id: webhook }),
		least: { updateFields: { events: ['order.paid'] } },
	},
	{
		operation: 'webhook.rotateSecret',
		parameters: ({ webhook }) => ({ webhookId: byId(webhook) }),
		routes: ['POST /webhooks/{id}/rotate_secret'],
		item: ({ webhook }) => ({ id: webhook, secret: expect.any(String) }),
		isOwn: true,
	},
	{
		operation: 'webhook.test',
		parameters: ({ webhook }) => ({ webhookId: byId(webhook) }),
		routes: ['POST /webhooks/{id}/test'],
		item: () => ({ delivery_id: expect.stringMatching(/^del_/) }),
		isOwn: true,
	},
	{
		operation: 'webhook.recreate',
		parameters: ({ webhook }) => ({
			webhookId: byId(webhook),
			updateFields: { description: 'Second' },
		}),
		routes: ['GET /webhooks/{id}', 'POST /webhooks', 'DELETE /webhooks/{id}'],
		body: () => ({ url: WEBHOOK_URL, events: ['order.paid'], description: 'Second' }),
		item: ({ webhook }) => ({
			secret: expect.any(String),
			replaced: { id: webhook, deleted: true },
		}),
		isOwn: true,
	},
];
