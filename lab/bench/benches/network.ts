import type { FaultRule, Platform } from '../../../platform';
import { apiClient } from '../../../platform/support/apiClient';
import { tally } from '../../../test/support/figures';
import { atLeast, atMost, heading, told } from '../report';
import { runCandidate } from '../runCandidate';
import { AMPLE, jobFor, withPlatform } from '../shop';

const PRODUCTS = 200;
const PAGE = 250;

/** One request in ten fails: half before the platform has looked at it, half after it was applied. */
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

/** New products over a network with faults: what the shop holds afterwards. */
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
			else told(`${name}: right`, right);
			told(`${name}: lost`, PRODUCTS - counts.length);
			if (isOurs) atMost(`${name}: doubled`, counts.length - right, 0);
			else told(`${name}: doubled`, counts.length - right);
			told(`${name}: executions that failed`, failed);
		});
	}
}

async function titles(platform: Platform): Promise<string[]> {
	const pages = await apiClient(platform).walk('/products', PAGE);
	return pages.flatMap(({ data }) => data.map(({ title }) => String(title)));
}
