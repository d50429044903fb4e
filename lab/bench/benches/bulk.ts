import { atMost, figure, heading } from '../report';
import { AMPLE, inSmall, jobFor, withPlatform } from '../shop';
import { runCandidate, type Figures } from '../job';

/** The time of n8n's loop grows with the square of its items, so there are no more. */
const PRODUCTS = inSmall(2_000, 50);

/** Compares Create or Update with single writes and with n8n's HTTP Request node in Loop Over Items. */
export async function bulk(n8nFolder: string): Promise<void> {
	const options = { ...AMPLE, products: 0, orders: 0, customers: 0 };
	const figures: Record<string, Figures & { requests: number }> = {};
	for (const candidate of ['batches/ours', 'bulk/single', 'bulk/http-loop'])
		await withPlatform({ ...options, inDevelopment: { batch: true } }, async (platform) => {
			const job = { ...(await jobFor(platform, n8nFolder)), candidate, count: PRODUCTS };
			await platform.control.resetCounters();
			const measured = await runCandidate({ ...job, warmUp: false });
			figures[candidate] = { ...measured, requests: (await platform.control.counters()).total };
		});
	heading(`${PRODUCTS} products written`, figures);
	const ours = figures['batches/ours'];
	for (const to of ['bulk/single', 'bulk/http-loop']) {
		atMost(`requests, ours / ${to}`, ours.requests / figures[to].requests, 1 / 50);
		figure(`wall, ours / ${to}`, ours.wallMs / figures[to].wallMs);
		figure(`processor time, ours / ${to}`, ours.cpuMs / figures[to].cpuMs);
	}
}
