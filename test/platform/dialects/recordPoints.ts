import { openPoint } from './openPoint';

/** Fields of records. */
export const recordPoints = {
	orderFields: openPoint(
		'line items, totals, payment summary, fulfillment state (in words; only totals is a name)',
		{
			snake: '`line_items`, `payment_summary`, `fulfillment_state`',
			camel: '`lineItems`, `paymentSummary`, `fulfillmentState`',
			short: '`items`, `payment`, `fulfillment`',
		},
		'camel',
	),
	orderList: openPoint(
		'Line items … included on get (whether lists have them too is not said)',
		{ summary: 'lists leave them out', whole: 'lists have them too' },
		'whole',
	),
	orderWords: openPoint(
		'Complete list of order status values: not shown',
		{ created: 'an unpaid order is `created`', pending: 'an unpaid order is `pending_payment`' },
		'pending',
	),
	personalData: openPoint(
		'Personal-data fields of an order can be masked depending on plan or policy',
		{
			shown: 'not masked',
			masked: 'the first letter and asterisks',
			empty: 'null',
			absent: 'the fields are missing',
		},
		'masked',
	),
	customerFields: openPoint(
		'Customer fields: not shown (names of the consent fields are not shown either)',
		{
			flat: '`email`, `first_name`, `accepts_email_marketing`, …',
			nested: '`name: { first, last }`, `contact: { email, phone }`, `consents: { email, sms }`',
		},
		'nested',
	),
	categoryFields: openPoint(
		'Category record fields: not shown',
		{ name: '`name` and `parent_id`', title: '`title` and `parent: { id }`' },
		'title',
	),
	accountFields: openPoint(
		'Account record fields: not shown',
		{
			nested: '`credential: { id, scopes }`, `rate_limits: { minute, day }`',
			flat: '`key_id`, `scopes`, `rate_limits: [{ window, limit, remaining }]`',
		},
		'flat',
	),
	levelVersion: openPoint(
		'Inventory writes use a version or updated_at value (where the version stands is not shown)',
		{
			both: '`version` in the record and ETag of a write',
			field: '`version` in the record',
			etag: 'ETag of a write',
			absent: 'shown nowhere',
		},
		'etag',
	),
	etags: openPoint(
		'clients honour Cache-Control and ETag when present',
		{ strong: 'on every read', weak: 'weak ones on every read', absent: 'none, and no 304' },
		'weak',
	),
	cacheControl: openPoint(
		'clients honour Cache-Control … when present',
		{ revalidate: 'private, no-cache', maxAge: 'private, max-age=5', absent: 'none' },
		'absent',
	),
};
