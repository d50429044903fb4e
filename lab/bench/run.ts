import { parseArgs } from 'node:util';

import { ensureHost } from '../../test/support/n8n/host';
import { Progress } from '../../test/support/progress';
import { backfill } from './benches/backfill';
import { bulk } from './benches/bulk';
import { network } from './benches/network';
import { pace } from './benches/pace';
import { scale } from './benches/scale';
import { soak } from './benches/soak';
import { size } from './benches/size';
import { get, list, update } from './benches/speed';
import { start } from './benches/start';
import { trigger } from './benches/trigger';
import { nextBench, writeReport } from './report';

/**
 * Side-by-side measurements, in the order of RESULTS.md. Ratios count; the machine is shared, so milliseconds
 * are only a hint.
 */
const BENCHES: Record<string, (n8nFolder: string) => Promise<void>> = {
	list,
	get,
	update,
	size,
	network,
	pace,
	bulk,
	backfill,
	trigger,
	scale,
	start,
	soak,
};

/** Benches that take most of an hour; they run only if they are named. */
const BY_NAME = ['soak'];

async function main(): Promise<void> {
	const { positionals: chosen, values } = parseArgs({
		allowPositionals: true,
		options: { write: { type: 'boolean' } },
	});
	const benches = Object.keys(BENCHES);
	const names = chosen.length > 0 ? chosen : benches.filter((name) => !BY_NAME.includes(name));
	const unknownBench = names.find((name) => !(name in BENCHES));
	if (unknownBench !== undefined)
		throw new Error(`There is no bench “${unknownBench}”. Choose from: ${benches.join(', ')}`);
	const { folder, version } = await ensureHost(new Progress());
	for (const name of names) {
		nextBench();
		await BENCHES[name](folder);
		if (values.write) writeReport(name, benches, version);
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
