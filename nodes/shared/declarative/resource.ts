import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import type { Resource } from './operation';

/**
 * The node's properties for a list of resources: the Resource list, an Operation list for each, and every
 * operation's fields, shown for that operation only.
 */
export function propertiesOf(resources: Resource[]): INodeProperties[] {
	return [
		resourceList(resources),
		...resources.flatMap((resource) => [operationList(resource), ...fieldsOf(resource)]),
	];
}

function resourceList(resources: Resource[]): INodeProperties {
	return {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value, description }) => ({ name, value, description })),
		default: resources[0].value,
		description: 'The kind of record to work with',
		// Makes n8n's own engine hand every request to this package instead of sending it.
		routing: { send: { paginate: true } },
	};
}

function operationList(resource: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource.value] } },
		options: resource.operations.map(({ option }) => option),
		default: resource.operations.some(({ option }) => option.value === 'getAll')
			? 'getAll'
			: resource.operations[0].option.value,
		description: `What to do with the ${resource.noun}`,
	};
}

function fieldsOf(resource: Resource): INodeProperties[] {
	return resource.operations.flatMap((operation) =>
		updateDisplayOptions(
			{ show: { resource: [resource.value], operation: [operation.option.value] } },
			operation.fields,
		),
	);
}
