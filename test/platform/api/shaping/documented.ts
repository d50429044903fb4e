/** Kinds of records that answers carry. */
export type RecordKind =
	| 'account'
	| 'category'
	| 'customer'
	| 'event'
	| 'fulfillment'
	| 'job'
	| 'level'
	| 'order'
	| 'product'
	| 'refund'
	| 'webhook';

/** What the API document's endpoint table says about the answer of an operation. */
export interface Documented {
	kind: RecordKind;
	form: 'record' | 'list' | 'none' | 'results';
	/** Whether the table itself shows `{ data }`, rather than words such as "order" or "level". */
	isShown: boolean;
}

const record = (kind: RecordKind, isShown: boolean): Documented => ({
	kind,
	form: 'record',
	isShown,
});
const list = (kind: RecordKind, isShown: boolean): Documented => ({ kind, form: 'list', isShown });
const none = (kind: RecordKind): Documented => ({ kind, form: 'none', isShown: true });

/** By operationId of openapi.yaml. */
export const DOCUMENTED: Readonly<Record<string, Documented>> = {
	getAccount: record('account', false),
	listCategories: list('category', false),
	createCategory: record('category', false),
	listProducts: list('product', true),
	getProduct: record('product', true),
	createProduct: record('product', true),
	updateProduct: record('product', true),
	deleteProduct: none('product'),
	batchProducts: { kind: 'product', form: 'results', isShown: false },
	importCatalog: record('job', false),
	listOrders: list('order', true),
	getOrder: record('order', true),
	updateOrder: record('order', true),
	cancelOrder: record('order', false),
	fulfillOrder: record('fulfillment', false),
	refundOrder: record('refund', false),
	listInventoryLevels: list('level', false),
	setInventoryLevel: record('level', false),
	adjustInventoryLevel: record('level', false),
	listCustomers: list('customer', true),
	getCustomer: record('customer', true),
	createCustomer: record('customer', true),
	updateCustomer: record('customer', true),
	listWebhooks: list('webhook', false),
	getWebhook: record('webhook', false),
	createWebhook: record('webhook', false),
	deleteWebhook: none('webhook'),
	updateWebhook: record('webhook', false),
	rotateWebhookSecret: record('webhook', false),
	testWebhook: record('webhook', false),
	listEvents: list('event', false),
	getImportJob: record('job', false),
};
