/** One event that the API document names (Events, "Event names"). */
export interface PlatformEvent {
	/** The name on the wire, e.g. `order.paid`. */
	name: string;
	group: 'Orders' | 'Products' | 'Inventory' | 'Customers';
	/** Shown in lists. */
	label: string;
	/** True where the document says that the event may exist for Enterprise only. */
	enterprise?: true;
}

/** Every event name of the API document, in its order. The catalogue goes on: other names may exist. */
export const PLATFORM_EVENTS: readonly PlatformEvent[] = [
	{ name: 'order.created', group: 'Orders', label: 'Order Created' },
	{ name: 'order.paid', group: 'Orders', label: 'Order Paid' },
	{ name: 'order.fulfilled', group: 'Orders', label: 'Order Fulfilled' },
	{ name: 'order.cancelled', group: 'Orders', label: 'Order Cancelled' },
	{ name: 'product.created', group: 'Products', label: 'Product Created' },
	{ name: 'product.updated', group: 'Products', label: 'Product Updated' },
	{ name: 'product.deleted', group: 'Products', label: 'Product Deleted' },
	{ name: 'inventory.changed', group: 'Inventory', label: 'Inventory Changed' },
	{ name: 'customer.created', group: 'Customers', label: 'Customer Created' },
	{ name: 'customer.updated', group: 'Customers', label: 'Customer Updated' },
	{ name: 'customer.deleted', group: 'Customers', label: 'Customer Deleted', enterprise: true },
];

/** Longer than any name shown, far shorter than what could be an accident. Characters. */
const MAX_NAME_LENGTH = 100;

const NAME_SHAPE = /^[a-z][a-z0-9_-]*(?:\.[a-z0-9_-]+)+$/;

/** Whether a text has the shape of the document's event names: lower-case words joined by dots. */
export function isEventName(text: string): boolean {
	return text.length <= MAX_NAME_LENGTH && NAME_SHAPE.test(text);
}
