import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { customOperationsOf, paginationOf } from '../shared/declarative/engine';
import { propertiesOf } from '../shared/declarative/resource';
import { listSearch } from './listSearch';
import { loadOptions } from './loadOptions';
import { resources } from './resources';

export class CommercePlatform implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Commerce Platform',
		name: 'commercePlatform',
		icon: {
			light: 'file:../../icons/commercePlatform.svg',
			dark: 'file:../../icons/commercePlatform.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Work with products, orders, inventory and customers of a Commerce Platform shop',
		defaults: { name: 'Commerce Platform' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'commercePlatformApi', required: true }],
		requestDefaults: {
			baseURL: '={{ $credentials.baseUrl }}',
			headers: { Accept: 'application/json' },
		},
		requestOperations: { pagination: paginationOf(resources) },
		properties: propertiesOf(resources),
	};

	customOperations = customOperationsOf(resources, () => this);

	methods = { listSearch, loadOptions };
}
