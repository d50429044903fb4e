import type { IDataObject } from 'n8n-workflow';

/** Consent must be respected (API document, "Customer"), so it is never left out; its field names are not shown. */
const CONSENT = /consent|marketing|opt_?in|subscri/i;

/**
 * A customer in short. The API document shows no field names, so it goes by shape: single values stay,
 * nested ones go, but for those about consent.
 */
export function simplifyCustomer(customer: IDataObject): IDataObject {
	const short: IDataObject = {};
	for (const name of Object.keys(customer)) {
		const value = customer[name];
		if (typeof value !== 'object' || value === null || CONSENT.test(name)) short[name] = value;
	}
	return short;
}
