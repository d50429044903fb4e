import type { INodeProperties } from 'n8n-workflow';

import { checkedBody, type Check } from '../../shared/declarative/checks';

/**
 * A field that becomes one property of the request's body, checked before anything is sent.
 *
 * @param sendAs the property's name in the API document, where it is not the field's
 */
export function bodyField(
	field: INodeProperties,
	check: Check,
	sendAs: string = field.name,
): INodeProperties {
	const { name, displayName } = field;
	const preSend = [checkedBody(name, displayName, check, sendAs)];
	return { ...field, routing: { send: { type: 'body', property: name, preSend } } };
}
