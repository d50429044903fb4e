import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isObject } from '../../shared/isObject';
import { publicHeaders, type DeliveryHeaders } from './headers';
import type { Delivery } from './verifyDelivery';

/** How the user wants items to look. */
export interface EmitOptions {
	payloadOnly: boolean;
	includeHeaders: boolean;
}

/** The item that a delivery becomes. */
export function itemOf(
	delivery: Delivery,
	headers: DeliveryHeaders,
	options: EmitOptions,
): INodeExecutionData {
	const { event, deliveryId } = delivery;
	const timestamp = (delivery.timestamp ?? null) as IDataObject['timestamp'];
	const payload = (delivery.payload ?? null) as IDataObject['payload'];
	const json: IDataObject = options.payloadOnly
		? asObject(payload)
		: { event, timestamp, deliveryId, payload };
	if (options.includeHeaders) json[freeName(json)] = publicHeaders(headers);
	return { json };
}

/** `headers`, with an underscore in front for as long as the payload has a field of that name. */
function freeName(json: IDataObject): string {
	let name = 'headers';
	while (name in json) name = `_${name}`;
	return name;
}

/** An item's JSON must be an object. Any other payload is put under the name `payload`. */
function asObject(payload: IDataObject['payload']): IDataObject {
	return isObject(payload) ? { ...payload } : { payload };
}
