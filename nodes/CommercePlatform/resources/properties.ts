import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { choice, type Field, shownWhen, simplify, textField } from '../../shared/values/fields';
import type { Api, Operation, Resource } from '../runner/operation';

/**
 * The node's properties: the Resource list, an Operation list for each resource, the fields of every operation, shown
 * for that operation only, and the Request Options.
 */
export function propertiesOf({ resources, requestOptions }: Api): INodeProperties[] {
	return [
		resourceList(resources),
		...resources.flatMap((resource) => [operationList(resource), ...fieldsOf(resource)]),
		forN8n(requestOptions),
	];
}

/** The resource that most users come for. */
const FIRST_RESOURCE = 'order';

function resourceList(resources: Resource[]): INodeProperties {
	return {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value, description }) => ({ name, value, description })),
		default: FIRST_RESOURCE,
		description: 'The kind of record to work with',
		// Makes n8n's own engine hand every request to this package instead of sending it.
		routing: { send: { paginate: true } },
	};
}

function operationList({ value, operations }: Resource): INodeProperties {
	const values = operations.map(({ option }) => option.value);
	const list: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: operations.map(({ option }) => option),
		default: 'getAll',
	};
	return values.includes('getAll') ? list : { ...list, default: values[0] };
}

function fieldsOf(resource: Resource): INodeProperties[] {
	return resource.operations.flatMap((operation) =>
		updateDisplayOptions(
			{ show: { resource: [resource.value], operation: [operation.option.value] } },
			operation.fields.flatMap((field) => forModels(field, operation)).map(forN8n),
		),
	);
}

/** The default limit for a model: each record takes space in its context. */
const TOOL_LIMIT = 10;

/** What an AI tool has in place of Simplify: a model may need other fields, and has little room for all of them. */
const outputForModels: Field[] = [
	choice(
		'Output',
		'output',
		{
			simplified: ['Simplified', 'The fields that are needed most'],
			raw: ['Raw', 'All fields that the platform returns'],
			selectedFields: ['Selected Fields', 'Only the fields that you name'],
		},
		'Which fields of each record the model gets',
	),
	...shownWhen(
		'output',
		['selectedFields'],
		textField(
			'Fields',
			'selectedFields',
			'Names of the fields, separated by commas; a dot leads into an object or a list',
			{ required: true, example: 'status, total, customer.email' },
		),
	),
];

/** A field in the forms that it has for a node and for an AI tool, if these differ. */
function forModels(field: Field, { option }: Operation): Field[] {
	const { name } = field;
	const isRead = option.routing.request.method === 'GET';
	if (name === 'limit')
		return [shownAs(false, field), shownAs(true, { ...field, default: TOOL_LIMIT })];
	if (name === simplify.name && isRead)
		return [shownAs(false, field), ...outputForModels.map((output) => shownAs(true, output))];
	return [field];
}

function shownAs(isTool: boolean, field: Field): Field {
	const { displayOptions } = field;
	// First: n8n shows a field as soon as it meets a condition about a field that holds an expression.
	const show = { '@tool': [isTool], ...displayOptions?.show };
	return { ...field, displayOptions: { ...displayOptions, show } };
}

type Choice = NonNullable<INodeProperties['options']>[number];

/** A field in n8n's form: without `send`, also inside collections and their rows. */
function forN8n(field: Field): INodeProperties {
	const n8nField = { ...field, options: field.options?.map(choiceForN8n) };
	delete n8nField.send;
	if (n8nField.options === undefined) delete n8nField.options;
	return n8nField;
}

function choiceForN8n(choice: Choice): Choice {
	if ('values' in choice) return { ...choice, values: choice.values.map(forN8n) };
	return 'type' in choice ? forN8n(choice) : choice;
}
