import { openPoint } from './openPoint';

/** Times of records and the platform's clock. */
export const timePoints = {
	recordTimes: openPoint(
		'Timestamps: ISO 8601 (UTC, e.g. form <timestamp>)',
		{
			milliseconds: '`2026-01-31T10:00:00.125Z`',
			seconds: '`2026-01-31T10:00:00Z`, cut off',
			microseconds: '`2026-01-31T10:00:00.125000Z`',
			offset: '`2026-01-31T10:00:00.125+00:00`',
			unixSeconds: '`1769853600`, but for stock levels',
			unixMilliseconds: '`1769853600125`, but for stock levels',
		},
		'seconds',
	),
	updatedAt: openPoint(
		'Order, product and customer fields beyond those named: not shown',
		{
			snake: '`created_at` and `updated_at`',
			camel: '`createdAt` and `updatedAt`',
			nested: '`timestamps: { created_at, updated_at }`',
			absent: 'the records carry no times',
		},
		'nested',
	),
	dateHeader: openPoint(
		'No Date header is mentioned',
		{
			right: 'the time of the answer',
			missing: 'no Date header',
			hourAhead: 'an hour ahead',
			hourBehind: 'an hour behind',
		},
		'missing',
	),
	inventoryUpdatedSince: openPoint(
		'GET /v1/inventory/levels: query sku, location_id; updated_since is a common parameter',
		{
			honoured: 'an inclusive lower bound, as on other lists',
			ignored: 'taken without effect',
			refused: 'answered 400 INVALID_PARAMETER',
		},
		'ignored',
	),
	sort: openPoint(
		'sort: whitelisted fields only (the whitelist is not shown)',
		{
			taken: 'by created_at, updated_at and some fields of each list',
			refused: 'no field is on the list: 400 INVALID_PARAMETER',
			ignored: 'taken without effect',
		},
		'refused',
	),
};
