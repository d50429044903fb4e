import fc from 'fast-check';

import { isErrorBody } from '../../../../nodes/shared/errors/errorBody';

it.each([
	{ error: 'invalid' },
	{ error: { code: 'X' } },
	{ errors: [{ code: 'X' }] },
	{ errors: { title: 'is empty' } },
	{ success: false },
	{ ok: false, message: 'no' },
	{ data: null, error: 'invalid' },
	{ data: {}, error: 'invalid' },
	{ error: true },
	{ results: [], error: 'invalid' },
	{ code: 'CONFLICT', message: 'stale updated_at', request_id: 'req_1' },
	{ code: 'CONFLICT', sku: 'A', quantity: 3 },
	{ code: 'NOT_LINKED', message: 'No payment provider' },
	{ code: 'NOT_LINKED', detail: 'No payment provider', order_id: 'ord_1' },
	{ code: 'NOT_LINKED', request_id: 'req_1' },
	{ code: 'NOT_LINKED', status: 'rejected', timestamp: 'now', meta: { requestId: 'req_1' } },
	{ code: 'NOT_LINKED', requestId: 'req_1' },
	{ code: 'NOT_LINKED', type: 'payment', request_id: 'req_1' },
	{ error_message: 'No payment provider' },
	{ code: 'CANNOT_BE_UPDATED', message: 'It is closed' },
	{ code: 'failedToBeSent', message: 'It is closed' },
	{ code: 'NEVER_SENT', message: 'It is closed' },
	{ code: 'NO_ITEM_UPDATED', message: 'It is closed' },
	{ code: 'E2', message: 'It is closed' },
	{ code: '2E', message: 'It is closed' },
	{ code: ' 404 ', message: 'No such order' },
	{ code: 'ALREADY_CANCELLED', message: 'It is cancelled' },
	{ code: 'orderNotUpdated', message: 'It is closed' },
	{ code: 404, message: 'No such order' },
	{ code: '404', message: 'No such order' },
	{ data: [], code: 'INTERNAL', message: 'No index' },
	{ errorCode: 'NOT_LINKED', errorMessage: 'No payment provider' },
	{ errorMessage: 'No payment provider' },
	{ error_code: 'NOT_LINKED', error_description: 'No payment provider' },
	{ type: 'about:blank', title: 'Internal', status: 500 },
	{ type: 'https://errors.example/conflict', title: 'Conflict' },
	{ type: 'urn:problem:conflict', detail: 'stale' },
	{ statusCode: 409, message: ['stale'] },
	{ status_code: 409 },
	{ status: '503', title: 'Unavailable' },
	{ status: 'error', message: 'No payment provider' },
	{ status: 'fail', title: 'No payment provider' },
	{ type: 'Error', message: 'No payment provider' },
])('knows %j for an error', (body) => {
	expect(isErrorBody(body)).toBe(true);
});

it.each([
	undefined,
	null,
	'error',
	[{ error: 'x' }],
	{},
	{ id: 'job_1', error: 'the import failed' },
	{ data: { id: 'x' }, errors: [{ code: 'X' }] },
	{ data: [{ id: 'x' }], error: 'x' },
	{ error: null, errors: [] },
	{ error: '', errors: {} },
	{ error: false },
	{ success: true },
	{ ok: true },
	{ message: 'created' },
	{ message: 'Order cancelled', request_id: 'req_1' },
	{ code: 'OK', message: 'success' },
	{ code: 0, message: 'success' },
	{ code: '00', message: 'done', errorMessage: 'none' },
	{ code: 200, message: 'done' },
	{ code: 40012, message: 'a code of its own' },
	{ code: 4040, message: 'no status' },
	{ code: 1404, message: 'no status' },
	{ code: 201, message: 'done', errorMessage: 'none' },
	{ code: 'NOT_LINKED' },
	{ status: 'no error', message: 'saved' },
	{ status: 'errorless', message: 'saved' },
	{ title: 'Mug', detail: 'Blue', message: 'saved' },
	{ id: 7, error: 'no stock' },
	{ jobId: 'job_1', error: 'the import failed' },
	{ event_id: 'evt_1', error: 'the delivery failed' },
	{ refund_id: 're_1', error: 'the card was refused' },
	{ fulfillment_id: 'ful_1', error: 'the label failed' },
	{ code: 600, message: 'no status' },
	{ code: '---', message: 'nothing' },
	{ code: 'ORDER_CANCELLED', message: 'The order is cancelled', request_id: 'req_1' },
	{ code: 'importStarted', message: 'The import has begun' },
	{ success: true, code: 'A1', message: 'saved' },
	{ ok: true, code: 'A1', message: 'saved' },
	{ status: 'success', code: 'A1', message: 'saved' },
	{ status: 'error' },
	{ status: 404.5 },
	{ type: 'https://types.example/product' },
	{ type: 'product', title: 'Mug' },
	{ results: [{ sku: 'A', status: 'ok' }], errors: [{ sku: 'B', code: 'X' }] },
	{ job_id: 'job_1', status: 'error', message: 'the import failed', code: 'CONFLICT' },
])('knows %j for no error', (body) => {
	expect(isErrorBody(body)).toBe(false);
});

// Records without an ID, of the resources of the API document, with more than it shows.
it.each([
	{ title: 'Mug', handle: 'mug', status: 'draft', code: 'M-1', message: 'Fragile' },
	{ code: '1041', status: 'error', message: 'Happy birthday', total: { amount: 1 } },
	{ status: 'paid', code: 'A-1041', message: 'Leave it', line_items: [{ line_item_id: 'li_1' }] },
	{ code: 'DHL', message: 'On its way', tracking_number: '1', items: [] },
	{ code: 'R-1', message: 'Broken', amount: 100, currency: 'EUR', status: 'failed' },
	{ code: 'A', sku: 'A', location_id: 'sloc_main', quantity: 404, updated_at: 'now' },
	{ code: 'A', message: 'Counted', sku: 'A', locationId: 'sloc_main', delta: -1 },
	{ url: 'https://receiver.example', events: ['order.paid'], status: 'error', message: 'cold' },
	{ code: 'C-1', name: 'Ada', email: 'ada@shop.example', status: 'active' },
	{ code: 'mugs', title: 'Mugs' },
	{ code: 'mugs', title: 'Mugs', request_id: 'req_1' },
	{ code: 'mugs', path: '/mugs', request_id: 'req_1' },
	{ credential: { name: 'ERP' }, rate_limits: {}, status: 'error', message: 'day spent' },
	{ code: 'IMPORT', message: 'Waiting', operations: 3, status: 'queued' },
	{ event: 'order.paid', code: 'E1', message: 'paid', payload: {} },
	{ data: [], pagination: { has_more: false }, code: 'LIST', message: 'nothing found' },
])('knows the record %j for no error', (body) => {
	expect(isErrorBody(body)).toBe(false);
});

it('survives any JSON', () => {
	fc.assert(
		fc.property(fc.jsonValue({ maxDepth: 8 }), (body) => {
			expect(typeof isErrorBody(body)).toBe('boolean');
		}),
	);
});
