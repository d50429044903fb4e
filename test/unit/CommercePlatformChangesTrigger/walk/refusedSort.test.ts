import { isRefusedSort } from '../../../../nodes/CommercePlatformChangesTrigger/walk/pages';
import { PlatformError } from '../../../../nodes/shared/errors/errors';

test.each([
	[400, true],
	[404, false],
	[410, false],
	[422, false],
	[503, false],
])('an answer of %d refuses the sort: %s', (status, isRefused) => {
	const request = { method: 'GET', host: 'shop.example', path: '/v1/orders' };
	expect(isRefusedSort(new PlatformError('refused', request, { status }))).toBe(isRefused);
});
