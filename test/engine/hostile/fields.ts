import { isDeepStrictEqual } from 'node:util';

import type { IDataObject, INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { requestOptions } from '../../../nodes/CommercePlatform/fields/options';
import type { Operation } from '../../../nodes/CommercePlatform/runner/operation';
import { operationOf, type Case } from '../operations/cases';

/** A field of an operation that accepts an expression. */
export interface HostileField {
	/** e.g. `product.create` */
	operation: string;
	kind: Operation['kind'];
	/** Names in the parameters, outermost first; a number is the index of a row. */
	path: Array<string | number>;
	field: INodeProperties;
	/** Display names that an error may use: the field's own, or its parent's. */
	labels: string[];
	/** Parameters that make the field count; all others are valid. */
	parameters: IDataObject;
}

/** Values of fields beside the one that is tried. */
const BESIDE: Record<string, unknown> = {
	amount: '1',
	currency: 'EUR',
	direction: 'asc',
	field: 'updated_at',
	line_item_id: 'li_1',
	name: 'a',
	quantity: 1,
	rowLine: 'li_1',
	rowQuantity: 1,
	sku: 'A',
	type: 'string',
	value: 'x',
};

/** Values of fields that count only together, though the editor always shows each of them. */
const TOGETHER: Record<string, unknown> = { sku: 'A', price: '1', currency: 'EUR' };

/** The fields of an operation, from the node's own description. */
export function hostileFieldsOf({ operation: name, least }: Case): HostileField[] {
	const operation = operationOf(name);
	return [...operation.fields.filter(isEntered), shownFor(operation)].flatMap((top) => {
		const shown = besideShown(top);
		const isAlone = Object.keys(shown).length === 0;
		const valuesOf = (values: Record<string, unknown>, others: readonly INodeProperties[]) =>
			Object.fromEntries(
				others.filter(({ name }) => name in values).map(({ name }) => [name, values[name]]),
			);
		const siblings = operation.fields.filter((other) =>
			isDeepStrictEqual(besideShown(other), shown),
		);
		const parameters = {
			...(top.name in TOGETHER && valuesOf(TOGETHER, operation.fields)),
			...(!isAlone && valuesOf(BESIDE, siblings)),
			// Its SKU is the record's own: rows with one SKU are one write.
			...{ ...least, simplify: false, ...shown },
		} as IDataObject;
		return leavesOf(top, [top.name], [], parameters).map((leaf) => ({
			...leaf,
			operation: name,
			kind: operation.kind,
		}));
	});
}

/** The request options that the operation has. */
function shownFor({ option }: Operation): INodeProperties {
	const name = '/operation';
	const isShown = ({ displayOptions: { show = {}, hide = {} } = {} }: INodeProperties) =>
		show[name]?.includes(option.value) !== false && hide[name]?.includes(option.value) !== true;
	const options = (requestOptions.options as INodeProperties[])
		.filter(isShown)
		.map((field) => ({ ...field, displayOptions: undefined }));
	return { ...requestOptions, options };
}

/** Values of other parameters that make a field visible. */
function besideShown({ displayOptions }: INodeProperties): IDataObject {
	const others = Object.entries(displayOptions?.show ?? {}).filter(([other]) => /^\w/.test(other));
	return Object.fromEntries(
		others
			.filter(([other]) => other !== 'resource' && other !== 'operation')
			.map(([other, values]) => [other, values?.[0]]),
	) as IDataObject;
}

/** The top-level parameters that make a field visible. */
function shownWith({ displayOptions }: INodeProperties, parameters: IDataObject) {
	const show: Record<string, unknown[] | undefined> = displayOptions?.show ?? {};
	return Object.entries(show)
		.filter(([other]) => other.startsWith('/'))
		.reduce((all, [other, values]) => put(all, other.slice(1).split('.'), values?.[0]), parameters);
}

type Leaf = Omit<HostileField, 'operation' | 'kind'>;

function leavesOf(
	field: INodeProperties,
	path: HostileField['path'],
	outer: string[],
	parameters: IDataObject,
): Leaf[] {
	const labels = [...outer, field.displayName];
	if (field.type === 'collection') {
		return (field.options as INodeProperties[]).flatMap((option) =>
			leavesOf(option, [...path, option.name], labels, parameters),
		);
	}
	if (field.type === 'fixedCollection') {
		const many = field.typeOptions?.multipleValues === true;
		return (field.options as INodePropertyCollection[]).flatMap((group) => {
			const inner = [...path, group.name, ...(many ? [0] : [])];
			const row = Object.fromEntries(
				group.values.filter(({ name }) => name in BESIDE).map(({ name }) => [name, BESIDE[name]]),
			);
			return group.values.flatMap((value) =>
				typesOf(value, group).flatMap((type) => {
					const filled = put(parameters, inner, { ...row, ...type } as IDataObject);
					return leavesOf(value, [...inner, value.name], labels, filled);
				}),
			);
		});
	}
	if (field.noDataExpression === true) return [];
	return [{ path, field, labels, parameters: shownWith(field, parameters) }];
}

/** Users enter nothing into a notice. */
const isEntered = ({ type }: INodeProperties) => type !== 'notice';

/** A field by name is read by the type beside it, so it is tried with each type. */
function typesOf({ name }: INodeProperties, group: INodePropertyCollection): IDataObject[] {
	const type = group.values.find((field) => field.name === 'type');
	if (name !== 'value' || type === undefined) return [{}];
	const types = ((type.options ?? []) as Array<{ value: string }>).map(({ value }) => value);
	return types.filter((type) => type !== 'null').map((type) => ({ type }));
}

/** A copy of parameters with a value at a path; later rows stay. */
export function put(
	parameters: IDataObject,
	[name, ...rest]: HostileField['path'],
	value: unknown,
): IDataObject {
	const inner = (parameters as Record<string, unknown>)[String(name)];
	const container = inner ?? (typeof rest[0] === 'number' ? [] : {});
	const next = rest.length === 0 ? value : put(container as IDataObject, rest, value);
	if (typeof name === 'number') {
		const others = Array.isArray(parameters) ? parameters.slice(name + 1) : [];
		return [next, ...others] as unknown as IDataObject;
	}
	return { ...parameters, [name]: next } as IDataObject;
}
