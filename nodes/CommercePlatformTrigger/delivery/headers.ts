/** Header values as Node gives them, names in lower case. */
export type DeliveryHeaders = Record<string, string | string[] | undefined>;

/** Header names that belong together. A delivery is signed under one of two families. */
export interface HeaderFamily {
	signature: string;
	timestamp: string;
	deliveryId: string;
}

/** The platform's names and their legacy aliases (API document, "Delivery request"); the first one is preferred. */
export const HEADER_FAMILIES: readonly HeaderFamily[] = [
	{
		signature: 'x-shop-signature',
		timestamp: 'x-shop-timestamp',
		deliveryId: 'x-shop-delivery-id',
	},
	{
		signature: 'x-ecom-signature',
		timestamp: 'x-ecom-timestamp',
		deliveryId: 'x-ecom-delivery-id',
	},
];

/**
 * A header's value if it was sent once.
 *
 * @returns undefined if it is missing, or is a list
 */
export function headerOf(headers: DeliveryHeaders, name: string): string | undefined {
	const value = headers[name];
	return typeof value === 'string' ? value : undefined;
}

/** These belong to the connection, not to the event, so no item shows them. */
const PRIVATE_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** The headers that a workflow may see. */
export function publicHeaders(headers: DeliveryHeaders): Record<string, string> {
	const shown: Record<string, string> = {};
	for (const [name, value] of Object.entries(headers)) {
		if (value === undefined || PRIVATE_HEADERS.has(name)) continue;
		shown[name] = Array.isArray(value) ? value.join(', ') : value;
	}
	return shown;
}
