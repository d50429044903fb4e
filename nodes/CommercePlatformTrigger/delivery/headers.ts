/** Header values as Node gives them, names in lower case. */
export type DeliveryHeaders = Record<string, string | string[] | undefined>;

/** Header names with the same prefix, under which a delivery is signed. */
export interface HeaderFamily {
	signature: string;
	timestamp: string;
	deliveryId: string;
}

const SIGNATURE_ENDING = '-signature';

/**
 * The header families of a delivery. The platform puts its brand in front of the names, and older names may be
 * sent beside them (API document, "Delivery request"). So a family is known by its endings only, and its
 * signature decides whether it counts.
 */
export function headerFamilies(headers: DeliveryHeaders): HeaderFamily[] {
	return Object.keys(headers)
		.filter((name) => name.endsWith(SIGNATURE_ENDING) && headers[name] !== undefined)
		.map((signature) => {
			const prefix = signature.slice(0, -SIGNATURE_ENDING.length);
			return {
				signature,
				timestamp: `${prefix}-timestamp`,
				deliveryId: `${prefix}-delivery-id`,
			};
		});
}

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
