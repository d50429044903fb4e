import type { Resource } from '../../engine/operation';
import { create } from './create';
import { remove } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { recreate } from './recreate';
import { rotateSecret } from './rotateSecret';
import { test } from './testEvent';
import { update } from './update';

export const webhook: Resource = {
	name: 'Webhook',
	value: 'webhook',
	description: 'Webhook endpoints that receive signed events',
	noun: 'webhook endpoint',
	operations: [create, remove, get, getAll, recreate, rotateSecret, test, update],
};
