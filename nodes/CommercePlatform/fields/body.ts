import type { INodeProperties } from 'n8n-workflow';

import { unlessEmpty, type Field, type ReadField } from './field';

/**
 * A field that becomes one property of the request's body, checked before anything is sent. Left empty it is
 * not sent, unless it is required.
 *
 * @param sendAs the property's name in the API document, where it is not the field's
 */
export function bodyField(
	field: INodeProperties,
	read: ReadField,
	sendAs: string = field.name,
): Field {
	const whole = field.required === true ? read : unlessEmpty(read);
	return { ...field, send: { in: 'body', as: sendAs, read: whole } };
}
