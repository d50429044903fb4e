import { atMost, heading } from '../report';
import { runCandidate } from '../runCandidate';
import { AMPLE, jobFor, withPlatform } from '../shop';

const RECORDS = [10_000, 100_000];
const PAGE = 250;
/** How often the bench looks at the memory in use, ms. */
const LOOK_MS = 250;

/** The changes trigger reads everything that a shop has: how many requests, and whether memory grows with the shop. */
export async function backfill(n8nFolder: string): Promise<void> {
	const inUse: Record<string, number> = {};
	heading('Backfill by the changes trigger');
	for (const orders of RECORDS) {
		await withPlatform({ ...AMPLE, products: 50, customers: 50, orders }, async (platform) => {
			const base = { ...(await jobFor(platform, n8nFolder)), candidate: 'changes/backfill' };
			for (const maxPages of [1, 10]) {
				await platform.control.resetCounters();
				const job = { ...base, warmUp: false, options: { maxPages }, lookEveryMs: LOOK_MS };
				const { peakMb, inUse: live, summary } = await runCandidate(job);
				const { total } = await platform.control.counters();
				const name = `${orders} records, ${maxPages} pages a poll`;
				inUse[`${orders} ${maxPages}`] = (live?.most ?? 0) - (live?.before ?? 0);
				console.log(
					`  ${name}: ${JSON.stringify(summary)}, ${total} requests, ${inUse[`${orders} ${maxPages}`].toFixed(1)} MB in use at most beyond the start, ${peakMb.toFixed(0)} MB peak`,
				);
				// The last poll finds nothing new.
				atMost(
					`requests / the fewest possible, ${name}`,
					total / (orders / PAGE),
					1.01 + PAGE / orders,
				);
			}
		});
	}
	for (const maxPages of [1, 10]) {
		const [small, large] = RECORDS.map((orders) => inUse[`${orders} ${maxPages}`]);
		atMost(`memory in use, 100,000 / 10,000 records, ${maxPages} pages a poll`, large / small, 1.5);
	}
}
