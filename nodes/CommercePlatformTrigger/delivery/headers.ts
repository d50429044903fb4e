/** Header values as Node gives them, names in lower case. */
export type DeliveryHeaders = Record<string, string | string[] | undefined>;

/** What a delivery says about itself in headers with the same prefix. undefined stands for none, or for a list. */
export interface HeaderFamily {
	signature?: string;
	timestamp?: string;
	deliveryId?: string;
}

const SIGNATURE_ENDING = '-signature';

/**
 * The header families of a delivery. The platform puts its brand in front of the names, and older names may be
 * sent beside them (API document, "Delivery request"). So a family is known by its endings only, and its
 * signature decides whether it counts.
 */
export function headerFamilies(headers: DeliveryHeaders): HeaderFamily[] {
	const valueOf = (name: string) => {
		const value = headers[name];
		return typeof value === 'string' ? value : undefined;
	};
	return Object.keys(headers)
		.filter((name) => name.endsWith(SIGNATURE_ENDING) && headers[name] !== undefined)
		.map((name) => {
			const prefix = name.slice(0, -SIGNATURE_ENDING.length);
			return {
				signature: valueOf(name),
				timestamp: valueOf(`${prefix}-timestamp`),
				deliveryId: valueOf(`${prefix}-delivery-id`),
			};
		});
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
