import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../../support/parameters';
import { mistake, type Mistake } from './mistake';

const hook = (more: IDataObject): IDataObject => ({
	url: 'https://receiver.example/hook',
	events: ['order.paid'],
	...more,
});

export const webhookMistakes: Mistake[] = [
	mistake('webhook.create', 'an http URL', hook({ url: 'http://receiver.example/hook' }), 'URL'),
	mistake('webhook.create', 'no URL', hook({ url: '={{ "" }}' }), 'URL'),
	mistake('webhook.create', 'text as URL', hook({ url: 'receiver' }), 'URL'),
	mistake('webhook.create', 'no events', hook({ events: [] }), 'Events'),
	mistake(
		'webhook.create',
		'an unknown event',
		hook({ events: '={{ ["Order paid"] }}' }),
		'Events',
	),
	mistake(
		'webhook.create',
		'another unknown event',
		hook({ additionalFields: { otherEvents: 'order.*' } }),
		'Other Event Names',
	),
	mistake(
		'webhook.update',
		'nothing',
		{ webhookId: byId('wh_1'), updateFields: {} },
		'Update Fields',
	),
	mistake(
		'webhook.update',
		'an http URL',
		{ webhookId: byId('wh_1'), updateFields: { url: 'http://a.example' } },
		'URL',
	),
	mistake(
		'webhook.recreate',
		'an http URL',
		{ webhookId: byId('wh_1'), updateFields: { url: 'http://a.example' } },
		'URL',
	),
];
