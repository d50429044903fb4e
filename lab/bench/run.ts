import { ensureHost } from '../../test/support/n8n/host';
import { Progress } from '../../test/support/progress';
import { bulk } from './benches/bulk';
import { grow } from './benches/grow';
import { network } from './benches/network';
import { pace } from './benches/pace';
import { scale } from './benches/scale';
import { soak } from './benches/soak';
import { get, list, update } from './benches/speed';
import { start } from './benches/start';
import { trigger } from './benches/trigger';
import { hasMissed, nextBench, writeReport } from './report';
import { CHOSEN, FLAGS, IS_SMALL } from './shop';

/**
 * Side-by-side measurements, in the order of RESULTS.md. Ratios count; the machine is shared, so milliseconds
 * are only a hint.
 */
const BENCHES: Record<string, (n8nFolder: string) => Promise<void>> = {
	list,
	get,
	update,
	network,
	pace,
	bulk,
	grow,
	trigger,
	scale,
	start,
	soak,
};

/** Benches that take most of an hour; they run only if they are named. */
const BY_NAME = ['soak'];

/** Needs no installed n8n. */
const IN_CORE = 'grow';

async function main(): Promise<void> {
	const benches = Object.keys(BENCHES);
	const names =
		CHOSEN.length > 0 ? CHOSEN : benches.filter((name) => IS_SMALL || !BY_NAME.includes(name));
	const unknownBench = names.find((name) => !(name in BENCHES));
	if (unknownBench !== undefined)
		throw new Error(`There is no bench “${unknownBench}”. Choose from: ${benches.join(', ')}`);
	const needsN8n = names.some((name) => name !== IN_CORE);
	const { folder, version } = needsN8n
		? await ensureHost(new Progress())
		: { folder: '', version: '(its core alone)' };
	for (const name of names) {
		nextBench();
		await BENCHES[name](folder);
		// A small round says that a bench still runs; only growth is judged.
		if (IS_SMALL && name === IN_CORE && hasMissed()) process.exitCode = 1;
		if (FLAGS.write) writeReport(name, version);
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
