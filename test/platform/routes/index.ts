import { accountHandlers } from './account';
import { bulkHandlers } from './bulk';
import { categoryHandlers } from './categories';
import { customerHandlers } from './customers';
import { eventHandlers } from './events';
import { inventoryHandlers } from './inventory';
import { orderHandlers } from './orders';
import { productHandlers } from './products';
import { webhookHandlers } from './webhooks';
import type { Handler } from '../api/call';

/** What handles each operationId of openapi.yaml. */
export const HANDLERS: Readonly<Record<string, Handler>> = {
	...accountHandlers,
	...bulkHandlers,
	...categoryHandlers,
	...customerHandlers,
	...eventHandlers,
	...inventoryHandlers,
	...orderHandlers,
	...productHandlers,
	...webhookHandlers,
};
