import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { type DecimalForm, withDecimals } from '../../shared/values/money';
import { isObject } from '../../shared/values/json';
import type { FullRecord } from './fullRecord';
import { publicHeaders, type DeliveryHeaders } from './headers';
import type { Delivery } from './verifyDelivery';

/** How the user wants items to look. */
export interface EmitOptions {
	payloadOnly: boolean;
	includeHeaders: boolean;
	getFullRecord: boolean;
	/** How amounts are written beside what the platform sends. */
	decimals: DecimalForm;
}

/**
 * The item that a delivery becomes.
 *
 * @param fetched the record that the event is about, where it was asked for
 */
export function itemOf(
	delivery: Delivery,
	headers: DeliveryHeaders,
	options: EmitOptions,
	fetched?: FullRecord,
): INodeExecutionData {
	const { event, deliveryId } = delivery;
	const timestamp = (delivery.timestamp ?? null) as IDataObject['timestamp'];
	const payload = withDecimals(
		delivery.payload ?? null,
		options.decimals,
	) as IDataObject['payload'];
	const json: IDataObject = options.payloadOnly
		? asObject(payload)
		: { event, timestamp, deliveryId, payload };
	for (const [name, value] of Object.entries(fetched ?? {}))
		json[freeName(json, name)] = withDecimals(value, options.decimals);
	if (options.includeHeaders) json[freeName(json, 'headers')] = publicHeaders(headers);
	return { json };
}

/** A name, with an underscore in front for as long as the payload has a field of it. */
function freeName(json: IDataObject, wanted: string): string {
	let name = wanted;
	while (name in json) name = `_${name}`;
	return name;
}

/** An item's JSON must be an object. Any other payload is put under the name `payload`. */
function asObject(payload: IDataObject['payload']): IDataObject {
	return isObject(payload) ? { ...payload } : { payload };
}
