import type { INodeProperties } from 'n8n-workflow';

import { checkedBody, unlessEmpty, type Check } from '../../shared/declarative/checks';

/**
 * A field that becomes one property of the request's body, checked before anything is sent. Left empty it is
 * not sent, unless it is required.
 *
 * @param sendAs the property's name in the API document, where it is not the field's
 */
export function bodyField(
	field: INodeProperties,
	check: Check,
	sendAs: string = field.name,
): INodeProperties {
	const { name, displayName, required } = field;
	const whole = required === true ? check : unlessEmpty(check);
	const preSend = [checkedBody(name, displayName, whole, sendAs)];
	return { ...field, routing: { send: { type: 'body', property: name, preSend } } };
}
