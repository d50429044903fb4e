import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import '../shared/n8n';
import { SERVICE } from '../shared/shop/service';
import { requestOptions } from './fields/options';
import { cells } from './fields/spreadsheet';
import { account } from './resources/account';
import { category } from './resources/category';
import { customer } from './resources/customer';
import { event } from './resources/event';
import { inventory } from './resources/inventory';
import { fulfill } from './resources/order/fulfill';
import { orderOperations } from './resources/order/order';
import { refund } from './resources/order/refund';
import { importCatalog } from './resources/product/importCatalog';
import { setPrices } from './resources/product/prices';
import { productOperations } from './resources/product/product';
import { upsert } from './resources/product/upsert';
import { propertiesOf } from './resources/properties';
import { webhook } from './resources/webhook';
import { customOperationsOf, paginationOf } from './runner/node';
import type { Api, Operation, Resource } from './runner/operation';
import { listSearch, loadOptions } from './search';

/** As the Operation list shows them. */
const byLabel = (a: Operation, b: Operation) => a.option.name.localeCompare(b.option.name);

const order: Resource = {
	name: 'Order',
	value: 'order',
	description: 'Orders with their line items, totals and state',
	noun: 'order',
	operations: [...orderOperations, fulfill, refund].sort(byLabel),
};

const product: Resource = {
	name: 'Product',
	value: 'product',
	description: 'Products with their variants, prices and categories',
	noun: 'product',
	operations: [...productOperations, upsert, importCatalog, setPrices].sort(byLabel),
};

/** Every resource of the node, in the order of the Resource list. */
export const resources: Resource[] = [
	account,
	category,
	customer,
	event,
	inventory,
	order,
	product,
	webhook,
];

/** The Partner REST API v1, as the runner is told of it. */
export const api: Api = { resources, service: SERVICE, requestOptions, cells };

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
