import { inventory } from '../../../nodes/CommercePlatform/resources/inventory';
import type { Call, EachOperation } from '../../../nodes/CommercePlatform/run/operation';
import { PlatformError } from '../../../nodes/shared/errors/errors';
import type { PlatformRequest } from '../../../nodes/shared/api/request';

const set = inventory.operations.find(({ option }) => option.value === 'set') as EachOperation;

const NOW_MS = Date.parse('2026-11-22T12:00:00.000Z');
const FUTURE_MS = Date.parse('2099-01-01T00:00:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();

/** Sets a level, and gives the times of its writes; where the platform has a time already, the first is a conflict. */
async function stamps(credentialId: string, nowMs: number, hasMs?: number): Promise<unknown[]> {
	const fields = { sku: 'A', location_id: 'sloc_main', quantity: 1 };
	const request: PlatformRequest = { method: 'PUT', path: '/inventory/levels', body: fields };
	const conflict = { status: 409, code: 'CONFLICT' };
	const sent: unknown[] = [];
	const call = {
		fields,
		request,
		item: { options: { onConflict: 'overwrite' } },
		client: { credentialId, clock: { now: () => nowMs } },
		async record({ body }: PlatformRequest) {
			sent.push(body?.updated_at);
			if (hasMs === undefined || sent.length > 1) return await Promise.resolve({});
			throw new PlatformError('refused', { ...request, host: 'shop.example' }, conflict);
		},
		async send() {
			const data = [{ ...fields, updated_at: iso(hasMs!) }];
			return await Promise.resolve({ status: 200, headers: {}, body: { data } });
		},
	};
	await set.run!(call as unknown as Call);
	return sent;
}

it('gives every write of a credential a later time, and each credential its own', async () => {
	const times = [];
	for (const aheadMs of [0, 0, 5, 5]) times.push(...(await stamps('a', NOW_MS + aheadMs)));
	expect(times).toEqual([0, 1, 5, 6].map((aheadMs) => iso(NOW_MS + aheadMs)));
	expect(await stamps('another merchant', NOW_MS)).toEqual([iso(NOW_MS)]);
});

it('goes beyond a time of the future that the platform has, and keeps none of it', async () => {
	expect(await stamps('b', NOW_MS, FUTURE_MS)).toEqual([iso(NOW_MS), iso(FUTURE_MS + 1)]);
	expect(await stamps('b', NOW_MS + 2)).toEqual([iso(NOW_MS + 2)]);
});

it('follows a clock that was set back', async () => {
	await stamps('c', FUTURE_MS);
	expect(await stamps('c', NOW_MS)).toEqual([iso(NOW_MS)]);
});
