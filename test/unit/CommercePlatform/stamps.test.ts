import { inventory } from '../../../nodes/CommercePlatform/resources/inventory';
import type { Call, EachOperation } from '../../../nodes/CommercePlatform/runner/operation';
import { PlatformError } from '../../../nodes/shared/rest/errors';
import type { PlatformRequest } from '../../../nodes/shared/rest/request';

const set = inventory.operations.find(({ option }) => option.value === 'set') as EachOperation;

const NOW_MS = Date.parse('2026-11-22T12:00:00.000Z');
const FUTURE_MS = Date.parse('2099-01-01T00:00:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();

/**
 * Sets a level. If the platform has a time already, the first write is a conflict.
 *
 * @param nowMs the platform's time
 * @param has the time that the platform has
 * @returns the times of its writes
 */
async function stamps(sku: string, nowMs: number, has?: string): Promise<unknown[]> {
	const fields = { sku, location_id: 'sloc_main', quantity: 1 };
	const request: PlatformRequest = { method: 'PUT', path: '/inventory/levels', body: fields };
	const conflict = { status: 409, code: 'CONFLICT' };
	const sent: unknown[] = [];
	const call = {
		fields,
		request,
		item: { options: { onConflict: 'overwrite' } },
		client: { keyOf: (name: string) => name, platformTime: () => nowMs },
		async record({ body }: PlatformRequest) {
			sent.push(body?.updated_at);
			if (has === undefined || sent.length > 1) return await Promise.resolve({});
			throw new PlatformError('refused', { ...request, host: 'shop.example' }, conflict);
		},
		async send() {
			const data = [{ ...fields, updated_at: has }];
			return await Promise.resolve({ status: 200, headers: {}, body: { data } });
		},
	};
	await set.run!(call as unknown as Call);
	return sent;
}

it('gives every write of a level a later time, and each level its own', async () => {
	const times = [];
	for (const aheadMs of [0, 0, 5, 5]) times.push(...(await stamps('A', NOW_MS + aheadMs)));
	expect(times).toEqual([0, 1, 5, 6].map((aheadMs) => iso(NOW_MS + aheadMs)));
	expect(await stamps('B', NOW_MS)).toEqual([iso(NOW_MS)]);
});

it('exceeds a future time that the platform has, for that level alone', async () => {
	const first = await stamps('C', NOW_MS, iso(FUTURE_MS));
	expect(first).toEqual([iso(NOW_MS), iso(FUTURE_MS + 1)]);
	expect(await stamps('C', NOW_MS + 2)).toEqual([iso(FUTURE_MS + 2)]);
	expect(await stamps('D', NOW_MS + 2)).toEqual([iso(NOW_MS + 2)]);
});

it.each([
	['2099-01-01T00:00:00.000', FUTURE_MS],
	['2099-01-01T02:00:00+02:00', FUTURE_MS],
	['2099-01-01', FUTURE_MS],
	['no time', NOW_MS],
])('reads the time of a level without a zone as UTC: %s', async (has, expectedMs) => {
	expect((await stamps(has, NOW_MS, has))[1]).toBe(iso(expectedMs + 1));
});
