import type { IDataObject } from 'n8n-workflow';

import type { ErrorContext } from '../shared/errors/texts';
import type { ListFilter } from '../shared/fields/listFilters';
import { simplifyCustomer } from '../shared/model/simplifyCustomer';
import { simplifyOrder } from '../shared/model/simplifyOrder';
import type { Place } from './state';
import type { Identity } from './walk/change';

export type WatchName = 'customer' | 'event' | 'inventory' | 'order' | 'product';

/** What can be watched, and how. */
export interface Watch {
	/** What users see. */
	option: { name: string; description: string };
	path: `/${string}`;
	/** By time, behind the last one, or by comparing the whole list. */
	kind: Place['kind'];
	identity: Identity;
	/** Those that the API document gives for the list ("Endpoints"); time is the trigger's own matter. */
	filters: ListFilter[];
	errors: ErrorContext;
	simplify?(record: IDataObject): IDataObject;
}

const COMMON: ListFilter[] = ['created_since', 'created_until', 'q', 'sku', 'status'];

/** In alphabetical order, as n8n wants options. */
export const WATCHES: Record<WatchName, Watch> = {
	customer: {
		option: { name: 'Customer', description: 'Customers that were created or changed' },
		path: '/customers',
		kind: 'list',
		identity: { idFields: ['id'] },
		filters: [],
		errors: { noun: 'customer', scope: 'customers.read' },
		simplify: simplifyCustomer,
	},
	event: {
		option: {
			name: 'Event Stream',
			description: 'Everything that happened, in order; a contracted enterprise feature',
		},
		path: '/events',
		kind: 'stream',
		identity: { idFields: ['event_id'], immutable: true },
		filters: ['after_event_id'],
		errors: {
			noun: 'event',
			permission:
				'The event stream is a contracted enterprise feature. Without it, watch orders, products or customers instead.',
		},
	},
	inventory: {
		option: {
			name: 'Inventory',
			description: 'Stock levels that changed; the list is read whole and compared',
		},
		path: '/inventory/levels',
		kind: 'snapshot',
		identity: { idFields: ['sku', 'location_id'] },
		filters: ['location_id', 'sku'],
		errors: { noun: 'stock level', scope: 'inventory.read' },
	},
	order: {
		option: { name: 'Order', description: 'Orders that were created or changed' },
		path: '/orders',
		kind: 'list',
		identity: { idFields: ['id'] },
		filters: COMMON,
		errors: { noun: 'order', scope: 'orders.read' },
		simplify: simplifyOrder,
	},
	product: {
		option: { name: 'Product', description: 'Products that were created or changed' },
		path: '/products',
		kind: 'list',
		identity: { idFields: ['id'] },
		filters: COMMON,
		errors: { noun: 'product', scope: 'products.read' },
	},
};

export const WATCH_NAMES = Object.keys(WATCHES) as WatchName[];
