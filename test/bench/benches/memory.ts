import { SeenDeliveries } from '../../../nodes/CommercePlatformTrigger/memory/seenDeliveries';
import { atMost, heading } from '../report';
import { runCandidate } from '../runCandidate';
import { AMPLE, jobFor, withPlatform } from '../shop';

const MARKS = 20_000;
const MARKS_A_MINUTE = 1_600;
const LOOK_UPS = 200_000;
const MERGES = 500;

/** What an execution of any size holds, against the same records in an array. */
export async function size(n8nFolder: string): Promise<void> {
	await withPlatform({ ...AMPLE, products: 300_000 }, async (platform) => {
		const job = { ...(await jobFor(platform, n8nFolder)), warmUp: false };
		const held = await runCandidate({ ...job, candidate: 'list/held' });
		const ours = await runCandidate({ ...job, candidate: 'list/ours' });
		heading('300,000 records in one execution', { 'list/held': held, 'list/ours': ours });
		console.log(`  items ${ours.items}, linked to their input item ${ours.linked}`);
		atMost('peak memory, ours / the same records in an array', ours.peakMb / held.peakMb, 1.5);
	});
}

/** What the trigger's memory costs a delivery. */
export async function memory(): Promise<void> {
	const nowMs = Date.now();
	const fingerprint = (n: number) => n.toString(36).padStart(8, '-');
	const seen = new SeenDeliveries(27 * 3_600_000);
	for (let n = 0; n < MARKS; n++) seen.add(fingerprint(n), nowMs - (n % MARKS_A_MINUTE) * 60_000);
	const startedMs = performance.now();
	for (let n = 0; n < LOOK_UPS; n++) seen.has(fingerprint(n), nowMs);
	heading('The trigger’s memory with 10,000 deliveries (two marks each)');
	atMost('milliseconds a look-up', (performance.now() - startedMs) / LOOK_UPS, 0.1);
	atMost('milliseconds to merge what was saved a moment ago', mergeMs(seen, nowMs), 0.1);
}

/** Every delivery merges the static data that n8n loaded for it, while the memory goes on growing. */
function mergeMs(seen: SeenDeliveries, nowMs: number): number {
	const saved = JSON.stringify(seen.serialize(nowMs));
	let totalMs = 0;
	for (let n = 0; n < MERGES; n++) {
		seen.add(`new${String(n).padStart(5, '0')}`, nowMs);
		const loaded: unknown = JSON.parse(saved);
		const startedMs = performance.now();
		seen.merge(loaded, nowMs);
		totalMs += performance.now() - startedMs;
	}
	return totalMs / MERGES;
}
