import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';

import { saysNothing } from '../../shared/values/readers';

/** One input item, as fields and operations see it, whichever way n8n runs the node. */
export interface Item {
	/** 0 for the first. */
	readonly itemIndex: number;
	readonly node: INode;
	/** IANA name of the workflow's timezone. */
	readonly timezone: string;
	/** What came in. */
	readonly json: IDataObject;
	/** The item's value of a parameter. */
	parameter(name: string, fallback?: unknown): unknown;
	/** The ID that a resource locator holds, whichever way it was entered. */
	resourceId(name: string): unknown;
	/** The way in which it was entered: `list`, `id`, … Costs nothing, unlike a parameter with an expression. */
	locatorMode(name: string): unknown;
	/** Whether it was entered as an expression. Costs nothing. */
	isExpression(name: string): boolean;
}

/**
 * Reads a field's value into the form in which it is sent; it may look at the item's other parameters.
 *
 * @param label the field's display name, for messages
 * @param sent what the fields before it gave in the same place
 * @returns undefined where nothing is to be sent
 * @throws InputError that names the field
 */
export type ReadField = (
	label: string,
	value: unknown,
	item: Item,
	sent: Readonly<IDataObject>,
) => unknown;

/** Where a field's value goes. */
export interface Send {
	in: 'body' | 'query' | 'headers';
	/** Its name in the API document; without one, what is read is an object, and each of its fields is sent. */
	as?: string;
	read: ReadField;
}

/** A field of the editor that says itself what is sent of it. */
export type Field = INodeProperties & { send?: Send };

/**
 * The same reader for a field that may stay empty. Whether it is empty is judged after it was read: an
 * expression may give a blank list or a collection without rows.
 *
 * @returns undefined where the value says nothing, so that it is not sent at all
 */
export function unlessEmpty(read: ReadField): ReadField {
	return (label, value, item, sent) => {
		const given = saysNothing(value) ? undefined : read(label, value, item, sent);
		return saysNothing(given) ? undefined : given;
	};
}

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
