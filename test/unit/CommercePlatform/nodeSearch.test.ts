import { sublimeSearch } from '@n8n/utils/search/sublime-search';

import { CommercePlatform } from '../../../nodes/CommercePlatform/CommercePlatform.node.ts';
import actionCodex from '../../../nodes/CommercePlatform/CommercePlatform.node.json';
import changesCodex from '../../../nodes/CommercePlatformChangesTrigger/CommercePlatformChangesTrigger.node.json';
import webhookCodex from '../../../nodes/CommercePlatformTrigger/CommercePlatformTrigger.node.json';

/** What people type in the search of nodes. */
const WORDS = [
	'orders',
	'order',
	'new order',
	'order paid',
	'products',
	'product',
	'prices',
	'customers',
	'refunds',
	'stock',
	'inventory',
	'webhooks',
	'webhook',
	'discount',
	'sale',
	'cancel',
	'invoice',
	'payment',
	'category',
	'catalog',
	'catalogue',
	'shop',
	'shops',
	'online shop',
	'fulfillment',
	'shipping',
	'tracking',
	'sku',
	'ecommerce',
	'store',
];

const named = (displayName: string, ...alias: string[]) => ({
	properties: { displayName, codex: { alias } },
});

/** Nodes of n8n that answer to some of these words, with their names and aliases. */
const OTHER_NODES = [
	named('Webhook', 'HTTP', 'API', 'Build', 'WH'),
	named('Respond to Webhook'),
	named('Shopify'),
	named('WooCommerce'),
	named('Magento 2'),
	named('Stripe'),
	named('PayPal'),
	named('Invoice Ninja'),
	named('Salesforce'),
	named('Odoo', 'ERP'),
	named('Sort'),
	named('Code', 'cpde', 'Javascript', 'JS', 'Python', 'Script', 'Custom Code', 'Function'),
	named('Data Table', 'data', 'table', 'knowledge', 'data table', 'sheet'),
	named('Schedule Trigger', 'Time', 'Scheduler', 'Polling', 'Cron', 'Interval'),
	named('Simple Vector Store'),
	named('Edit Fields (Set)', 'Set', 'JS', 'JSON', 'Filter', 'Transform', 'Map'),
];

// n8n shows an action node and its triggers as one, with the words of the action node.
const ours = named(new CommercePlatform().description.displayName, ...actionCodex.alias);

it.each(WORDS)('n8n finds the node by “%s”, among the first three', (word) => {
	const found = sublimeSearch(word, [...OTHER_NODES, ours]).map(({ item }) => item);
	expect(found.slice(0, 3)).toContain(ours);
});

it('the node is found by all words of its triggers', () => {
	const missing = [...webhookCodex.alias, ...changesCodex.alias].filter(
		(word) => sublimeSearch(word, [ours]).length === 0,
	);
	expect(missing).toEqual([]);
});
