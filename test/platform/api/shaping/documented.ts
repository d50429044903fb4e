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
	/** Whether a record is made by it. */
	isCreate?: true;
	/** Whether its answer is shown to carry something that no other answer has, such as a secret. */
	isNeeded?: true;
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
	createCategory: { ...record('category', false), isCreate: true },
	listProducts: list('product', true),
	getProduct: record('product', true),
	createProduct: { ...record('product', true), isCreate: true },
	updateProduct: record('product', true),
	deleteProduct: none('product'),
	batchProducts: { kind: 'product', form: 'results', isShown: false },
	importCatalog: { ...record('job', false), isCreate: true, isNeeded: true },
	listOrders: list('order', true),
	getOrder: record('order', true),
	updateOrder: record('order', true),
	cancelOrder: record('order', false),
	fulfillOrder: { ...record('fulfillment', false), isCreate: true },
	refundOrder: { ...record('refund', false), isCreate: true },
	listInventoryLevels: list('level', false),
	setInventoryLevel: record('level', false),
	adjustInventoryLevel: record('level', false),
	listCustomers: list('customer', true),
	getCustomer: record('customer', true),
	createCustomer: { ...record('customer', true), isCreate: true },
	updateCustomer: record('customer', true),
	listWebhooks: list('webhook', false),
	getWebhook: record('webhook', false),
	createWebhook: { ...record('webhook', false), isCreate: true, isNeeded: true },
	deleteWebhook: none('webhook'),
	updateWebhook: record('webhook', false),
	rotateWebhookSecret: { ...record('webhook', false), isNeeded: true },
	testWebhook: { ...record('webhook', false), isNeeded: true },
	listEvents: list('event', false),
	getImportJob: record('job', false),
};
