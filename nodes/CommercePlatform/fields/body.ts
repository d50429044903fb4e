import type { INodeProperties } from 'n8n-workflow';

import { type ItemReader, readBody, unlessEmpty } from '../engine/preSend';

/**
 * A field that becomes one property of the request's body, checked before anything is sent. Left empty it is
 * not sent, unless it is required.
 *
 * @param sendAs the property's name in the API document, where it is not the field's
 */
export function bodyField(
	field: INodeProperties,
	read: ItemReader,
	sendAs: string = field.name,
): INodeProperties {
	const { name, displayName, required } = field;
	const whole = required === true ? read : unlessEmpty(read);
	const preSend = [readBody(name, displayName, whole, sendAs)];
	return { ...field, routing: { send: { type: 'body', property: name, preSend } } };
}
