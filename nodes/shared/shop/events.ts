/** An event that the API document names (Events, "Event names"). */
interface PlatformEvent {
	/** The name on the wire, e.g. `order.paid`. */
	name: string;
	group: 'Orders' | 'Products' | 'Inventory' | 'Customers';
	/** The name that users see. */
	label: string;
	/** True if the document says that the event may exist for Enterprise only. */
	enterprise?: true;
}

/** The events of the API document, in its order. The document says that its list goes on, so others may exist. */
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

/** Longer than any name that the document shows, but short enough to rule out accidents. Characters. */
const MAX_NAME_LENGTH = 100;

/** Printable characters, except those that separate names in a list, and `*`, which no event name has. */
const NAME_SHAPE = /^[^\s,;*\p{C}]+$/u;

/**
 * Whether a text can be an event name. The API document shows names like `order.paid` and says that its list
 * goes on, so other forms count as well, e.g. `customers/redact`.
 */
export function isEventName(text: string): boolean {
	return text.length <= MAX_NAME_LENGTH && NAME_SHAPE.test(text);
}

/** Whether the name of an event says that its record is gone. */
export const saysGone = (event: string): boolean => /delet|erase|redact|remov/i.test(event);

/**
 * The beginning of the description of a webhook endpoint that a workflow's trigger made. People in the back office, and
 * the nodes, see by it which workflow owns the endpoint.
 *
 * @param isTest whether it exists only while somebody listens for a test event
 */
export const ownerMark = (workflowId: string, isTest: boolean): string =>
	`n8n workflow ${workflowId}${isTest ? ' (test)' : ''}:`;

/** The description without that beginning: the workflow's name. */
export const withoutOwnerMark = (description: unknown): unknown =>
	typeof description === 'string' ? description.replace(OWNER_MARK, '') : description;

const OWNER_MARK = /^n8n workflow (\S*?)(?: \(test\))?:/;

/** The ID of the workflow that owns an endpoint, from its description; undefined if no trigger made the endpoint. */
export const ownerOf = (description: unknown): string | undefined =>
	typeof description === 'string' ? OWNER_MARK.exec(description)?.[1] : undefined;
