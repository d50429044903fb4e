import type { FaultRule, Platform } from '../../../platform';
import { apiClient } from '../../../platform/support/apiClient';
import { tally } from '../../../test/support/figures';
import { runCandidate } from '../job';
import { atLeast, atMost, figure, heading } from '../report';
import { AMPLE, inSmall, jobFor, withPlatform } from '../shop';

const PRODUCTS = inSmall(200, 20);
const PAGE = 250;

/** One request in ten fails: half before the platform reads it, half after the platform has applied it. */
const FAULTY: FaultRule[] = [
	{
		method: 'POST',
		probability: 0.1,
		seed: 24,
		anyOf: [
			{ fault: 'status', status: 503 },
			{ fault: 'reset' },
			{ fault: 'lostAnswer' },
			{ fault: 'lostAnswer' },
		],
	},
];

/** Creates products over a network with faults, and counts what the shop holds afterwards. */
export async function network(n8nFolder: string): Promise<void> {
	heading(
		`${PRODUCTS} products created, one request in ten fails, half of these after it was applied`,
	);
	const names = {
		'bulk/single': 'this node',
		'bulk/http-retry': 'HTTP Request, Retry On Fail',
		'bulk/http-loop-retry': 'the same, one item at a time',
	};
	for (const [candidate, name] of Object.entries(names)) {
		await withPlatform({ ...AMPLE, products: 0, orders: 0, customers: 0 }, async (platform) => {
			const job = { ...(await jobFor(platform, n8nFolder)), candidate, count: PRODUCTS };
			await platform.control.setFaults(FAULTY);
			const failed = await runCandidate({ ...job, warmUp: false }).then(
				() => 0,
				() => 1,
			);
			await platform.control.setFaults([]);
			const counts = Object.values(tally(await titles(platform)));
			const right = counts.filter((count) => count === 1).length;
			const isOurs = candidate === 'bulk/single';
			if (isOurs) atLeast(`${name}: right`, right, PRODUCTS);
			else figure(`${name}: right`, right);
			figure(`${name}: lost`, PRODUCTS - counts.length);
			if (isOurs) atMost(`${name}: doubled`, counts.length - right, 0);
			else figure(`${name}: doubled`, counts.length - right);
			figure(`${name}: executions that failed`, failed);
		});
	}
}

async function titles(platform: Platform): Promise<string[]> {
	const pages = await apiClient(platform).walk('/products', PAGE);
	return pages.flatMap(({ data }) => data.map(({ title }) => String(title)));
}
