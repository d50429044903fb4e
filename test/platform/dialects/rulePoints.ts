import { openPoint } from './openPoint';

/** What requests may do, and what limits say. */
export const rulePoints = {
	idempotency: openPoint(
		'Replay behaviour for a repeated Idempotency-Key: not shown',
		{
			replayed: 'the first answer again; 422 for another request under the key',
			anyBody: 'the first answer again, also for another request under the key',
			refused: '409 for every request under a used key',
			ignored: 'the header has no effect',
		},
		'ignored',
	),
	accountScope: openPoint(
		'Scope required by … categories and account: not shown',
		{ none: 'any key may read the account', own: 'the scope account.read, which keys lack' },
		'own',
	),
	categoryScope: openPoint(
		'Scope required by … categories and account: not shown',
		{ products: 'products.read and products.write', none: 'any key may use categories' },
		'none',
	),
	equalUpdatedAt: openPoint(
		'A write with a stale `updated_at` … answers 409 with code CONFLICT',
		{ taken: 'an equal one is not stale', stale: 'an equal one is stale' },
		'stale',
	),
	fulfillmentWithoutItems: openPoint(
		'Fulfillment (request shape): which fields are required is not shown',
		{
			everything: 'sends what is open',
			nothing: 'is recorded and sends nothing',
			refused: '400 INVALID_PARAMETER',
		},
		'nothing',
	),
	refundWithoutAmount: openPoint(
		'Request and response bodies of refunds: not shown',
		{ rest: 'pays back what is left', refused: '400 INVALID_PARAMETER' },
		'refused',
	),
	repeatedMove: openPoint(
		'Transitions: not shown (no table of moves between order … states is given)',
		{ refused: 'cancelling twice is 409', taken: 'cancelling twice is 200' },
		'taken',
	),
	retryAfter: openPoint(
		'the response carries Retry-After (seconds)',
		{ whole: 'whole seconds', fraction: 'seconds with a fraction' },
		'fraction',
	),
	budgetHeaders: openPoint(
		'Response headers X-RateLimit-… (which answers have them is not said)',
		{
			everyAnswer: 'every answer to a known key',
			successes: 'successful answers only',
			absent: 'none',
		},
		'successes',
	),
};
