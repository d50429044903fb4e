import { byId } from '../../../support/parameters';
import { WEBHOOK_URL } from '../shop';
import type { Case } from './case';
import { done, endpointsOf, holds, identified } from './expected';

export const webhookCases: Case[] = [
	{
		operation: 'webhook.getAll',
		parameters: () => ({ returnAll: true }),
		routes: ['GET /webhooks'],
		query: () => ({}),
		item: ({ webhook }) => ({ id: webhook, url: WEBHOOK_URL }),
		gives: identified(({ webhook }) => webhook),
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
		gives: identified(({ webhook }) => webhook),
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
		gives: (item) => expect(item).toMatchObject({ secret: expect.any(String) }),
		changes: {
			effect: endpointsOf,
			becomes: () =>
				expect.arrayContaining([
					expect.objectContaining({
						url: 'https://other.example/hook',
						events: ['order.paid', 'product.deleted', 'order.refunded'],
						description: 'Mine',
					}),
				]),
		},
		least: { url: 'https://least.example/x', events: ['order.paid'] },
	},
	{
		operation: 'webhook.delete',
		parameters: ({ webhook }) => ({ webhookId: byId(webhook) }),
		routes: ['DELETE /webhooks/{id}'],
		gives: (item, { webhook }) => expect(item).toMatchObject({ deleted: true, id: webhook }),
		changes: { effect: endpointsOf, becomes: () => [] },
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
		gives: done(identified(({ webhook }) => webhook)),
		changes: {
			effect: endpointsOf,
			becomes: () => [expect.objectContaining({ events: ['order.created', 'order.returned'] })],
		},
		least: { updateFields: { events: ['order.paid'] } },
	},
	{
		operation: 'webhook.rotateSecret',
		parameters: ({ webhook }) => ({ webhookId: byId(webhook) }),
		routes: ['POST /webhooks/{id}/rotate_secret'],
		item: ({ webhook }) => ({ id: webhook, secret: expect.any(String) }),
		gives: (item) => expect(item).toMatchObject({ secret: expect.any(String) }),
		changes: { effect: endpointsOf, becomes: () => [expect.anything()] },
	},
	{
		operation: 'webhook.test',
		parameters: ({ webhook }) => ({ webhookId: byId(webhook) }),
		routes: ['POST /webhooks/{id}/test'],
		item: () => ({ delivery_id: expect.stringMatching(/^del_/) }),
		gives: holds(() => 'del_'),
		changes: {
			effect: async ({ platform }) => (await platform.control.deliveries()).length,
			becomes: () => 1,
		},
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
		gives: (item, { webhook }) =>
			expect(item).toMatchObject({
				secret: expect.any(String),
				replaced: { id: webhook, deleted: true },
			}),
		changes: {
			effect: endpointsOf,
			becomes: () => [expect.objectContaining({ description: 'Second', events: ['order.paid'] })],
		},
	},
];
