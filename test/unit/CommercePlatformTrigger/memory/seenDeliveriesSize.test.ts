import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { SeenDeliveries } from '../../../../nodes/CommercePlatformTrigger/memory/seenDeliveries';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

const BUCKET_MS = 600_000;
const MEMORIES = 8;
const DELIVERIES = 10_000;

it('10,000 remembered deliveries take less than 2 MB of the process', () => {
	const nowMs = Date.UTC(2026, 10, 21);
	const kept: SeenDeliveries[] = [];
	collectGarbage();
	const before = process.memoryUsage().heapUsed;
	for (let m = 0; m < MEMORIES; m++) {
		const seen = new SeenDeliveries(27 * 3_600_000);
		for (let i = 0; i < DELIVERIES * 2; i++) {
			const random = Buffer.from(String(m * 1e6 + i).padStart(6, '0')).toString('base64url');
			seen.add(random.slice(-8).padStart(8, '-'), nowMs + (i / DELIVERIES) * BUCKET_MS * 40);
		}
		JSON.stringify(seen.serialize(nowMs + BUCKET_MS * 81));
		kept.push(seen);
	}
	collectGarbage();
	const each = (process.memoryUsage().heapUsed - before) / MEMORIES;
	expect(kept.map(({ size }) => size)).toEqual(Array(MEMORIES).fill(DELIVERIES * 2));
	expect(each).toBeLessThan(2_000_000);
});
