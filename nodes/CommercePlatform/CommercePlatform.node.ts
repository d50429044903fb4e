import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import '../shared/n8n';
import { propertiesOf } from './resources/properties';
import { customOperationsOf, paginationOf } from './runner/node';
import { listSearch, loadOptions } from './search';
import { api } from './resources';

/**
 * A declarative node: each operation is an option with `routing`, which says method, path, query and body.
 *
 * - n8n reads `properties` for the editor, and `requestDefaults` and `routing` if its own engine runs the node.
 * - `customOperations` runs every operation instead of n8n's engine. It reads the fields, and adds order, paired items,
 *   retries and limits (`runner/node.ts`).
 * - n8n's own engine still runs the node as an AI tool. It then hands each item to `requestOperations.pagination`,
 *   which reads and runs the item in the same way.
 *
 * docs/architecture.md shows the way of a request.
 */
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
		requestOperations: { pagination: paginationOf(api) },
		properties: propertiesOf(api),
	};

	customOperations = customOperationsOf(api);

	methods = { listSearch, loadOptions };
}
