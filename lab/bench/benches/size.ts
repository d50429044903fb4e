import { atMost, heading } from '../report';
import { runCandidate } from '../runCandidate';
import { AMPLE, jobFor, withPlatform } from '../shop';

/** Memory of a large execution, compared with the same records in an array. */
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
