/** The events that the API document names ("Event names"). It says that its list goes on, so others may exist. */
const EVENTS_BY_GROUP = {
	Orders: ['order.created', 'order.paid', 'order.fulfilled', 'order.cancelled'],
	Products: ['product.created', 'product.updated', 'product.deleted'],
	Inventory: ['inventory.changed'],
	Customers: ['customer.created', 'customer.updated', 'customer.deleted'],
};

/** The document says that it may exist for Enterprise only. */
const ENTERPRISE_EVENT = 'customer.deleted';

/** These events, for users to choose from: `order.paid` is shown as Order Paid. */
export const EVENT_CHOICES = Object.entries(EVENTS_BY_GROUP)
	.flatMap(([group, names]) =>
		names.map((value) => ({
			name: value.replace('.', ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
			value,
			description: value === ENTERPRISE_EVENT ? `${group}; may exist for Enterprise only` : group,
		})),
	)
	.sort((a, b) => a.name.localeCompare(b.name, 'en'));

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
