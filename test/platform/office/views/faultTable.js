/** Faults that can be switched on; `rule` as in faults/types.ts. */
export const FAULTS = [
	{
		id: 'busy',
		name: 'Too many requests',
		text: '429 with Retry-After, whatever the budget says.',
		rule: { fault: 'status', status: 429 },
	},
	{
		id: 'unavailable',
		name: 'Unavailable',
		text: '503 with an error body.',
		rule: { fault: 'status', status: 503 },
	},
	{
		id: 'slow',
		name: 'Slow answers',
		text: 'The usual answer, three seconds later.',
		rule: { fault: 'slow', ms: 3_000 },
	},
	{
		id: 'reset',
		name: 'Broken connections',
		text: 'The connection ends before the request is looked at.',
		rule: { fault: 'reset' },
	},
	{
		id: 'lost',
		name: 'Lost answers',
		text: 'The write is applied, then the connection ends.',
		rule: { fault: 'lostAnswer', method: 'PATCH' },
	},
	{
		id: 'html',
		name: 'A page instead of JSON',
		text: '502 with HTML, as a proxy sends it.',
		rule: { fault: 'html', status: 502 },
	},
	{
		id: 'duplicate',
		name: 'Deliveries come twice',
		text: 'The receiver gets the same delivery again.',
		rule: { fault: 'duplicateDelivery' },
	},
	{
		id: 'reorder',
		name: 'Deliveries overtake each other',
		text: 'Held back by up to a second.',
		rule: { fault: 'reorderDelivery', ms: 1_000 },
	},
];

export const OFTEN = [
	[0.1, '1 in 10'],
	[0.5, '1 in 2'],
	[1, 'always'],
];

/** Plans of the document's table, with their requests a minute. */
const PLANS = [
	['starter', 'Starter: 100 a minute'],
	['business', 'Business: 300 a minute'],
	['platform', 'Platform: 600 a minute'],
	['enterprise', 'Enterprise: 1,200 a minute'],
];

const RETRIES = [
	[1, '1 min, 5 min, 30 min, 2 h, 24 h'],
	[0.1, 'ten times as fast'],
	[0.01, 'a hundred times as fast'],
];

const LATENCIES = [0, 200, 1_000, 5_000].map((ms) => [ms, `${ms} ms`]);

/** Settings with a few values; `read` makes a value of its text. */
export const CHOICES = [
	{ id: 'plan', label: 'Plan', choices: PLANS, read: String },
	{ id: 'retryDelayFactor', label: 'Delivery retries', choices: RETRIES, read: Number },
	{ id: 'latencyMs', label: 'Every answer later', choices: LATENCIES, read: Number },
];

/** What the document marks “in development”. */
export const DEVELOPMENT = [
	['batch', 'Product batches'],
	['webhookUpdate', 'Updating webhooks'],
	['rotateSecret', 'Rotating secrets'],
	['webhookTest', 'Test deliveries'],
];
