/** The kind of record that an event is about. */
export interface Subject {
	/** The record in the user's words. */
	noun: string;
	/** The list of such records. */
	listPath: string;
	/** One of them by its `id`; undefined where records have none. */
	recordPath?: string;
}

/** By the first word of an event's name. */
export const SUBJECTS: Readonly<Record<string, Subject>> = {
	customer: { noun: 'customer', listPath: '/customers', recordPath: '/customers/{id}' },
	inventory: { noun: 'stock level', listPath: '/inventory/levels' },
	order: { noun: 'order', listPath: '/orders', recordPath: '/orders/{id}' },
	product: { noun: 'product', listPath: '/products', recordPath: '/products/{id}' },
};

/** Words in the names of events after which the record is not there any more. */
const GONE = /delet|erase|redact|remov/i;

/**
 * What an event is about, by the first word of its name: `order.paid`, and in shops with other names
 * `orders/paid` or `order_paid`.
 */
export function subjectOf(event: string): Subject | undefined {
	const [first] = event.toLowerCase().split(/[^a-z]/);
	return SUBJECTS[first] ?? SUBJECTS[first.replace(/s$/, '')];
}

/** Whether an event says that its record is gone. */
export const saysGone = (event: string): boolean => GONE.test(event);
