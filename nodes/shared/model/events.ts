/** One event that the API document names (Events, "Event names"). */
interface PlatformEvent {
	/** The name on the wire, e.g. `order.paid`. */
	name: string;
	group: 'Orders' | 'Products' | 'Inventory' | 'Customers';
	/** Shown in lists. */
	label: string;
	/** True if the document says that the event may exist for Enterprise only. */
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

/** Printable characters but those that separate names in a list, and `*`, which no event has in its name. */
const NAME_SHAPE = /^[^\s,;*\p{C}]+$/u;

/**
 * Whether a text can be an event name. The API document shows names like `order.paid` and says that its list
 * goes on, so other forms count as well, e.g. `customers/redact`.
 */
export function isEventName(text: string): boolean {
	return text.length <= MAX_NAME_LENGTH && NAME_SHAPE.test(text);
}

/**
 * How the description of a webhook endpoint begins that a workflow's trigger made: people in the back office, and
 * the nodes, see by it whose the endpoint is.
 *
 * @param test whether it is there only while somebody listens for a test event
 */
export const ownerMark = (workflowId: string, test: boolean): string =>
	`n8n workflow ${workflowId}${test ? ' (test)' : ''}:`;

/** The same description without how it begins: the workflow's name. */
export const withoutOwnerMark = (description: unknown): unknown =>
	typeof description === 'string' ? description.replace(OWNER_MARK, '') : description;

const OWNER_MARK = /^n8n workflow (\S*?)(?: \(test\))?:/;

/** The id of the workflow whose trigger made an endpoint, by its description; undefined if no trigger made it. */
export const ownerOf = (description: unknown): string | undefined =>
	typeof description === 'string' ? OWNER_MARK.exec(description)?.[1] : undefined;
