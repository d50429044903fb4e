import { parseArgs } from 'node:util';

import { ensureHost } from '../support/n8n/host';
import { Progress } from '../support/progress';
import { backfill } from './benches/backfill';
import { bulk } from './benches/bulk';
import { memory, size } from './benches/memory';
import { pace } from './benches/pace';
import { get, list } from './benches/speed';
import { trigger } from './benches/trigger';
import { writeReport } from './report';

/** Side-by-side measurements. Ratios count; the machine is shared, so milliseconds are for orientation. */
const BENCHES: Record<string, (n8nFolder: string) => Promise<void>> = {
	list,
	get,
	memory,
	size,
	pace,
	trigger,
	bulk,
	backfill,
};

async function main(): Promise<void> {
	const { positionals: chosen, values } = parseArgs({
		allowPositionals: true,
		options: { write: { type: 'boolean' } },
	});
	const names = chosen.length > 0 ? chosen : Object.keys(BENCHES);
	const unknown = names.find((name) => !(name in BENCHES));
	if (unknown !== undefined)
		throw new Error(
			`There is no bench “${unknown}”. Choose from: ${Object.keys(BENCHES).join(', ')}`,
		);
	const { folder, version } = await ensureHost(new Progress());
	for (const name of names) await BENCHES[name](folder);
	if (values.write) writeReport(version);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
