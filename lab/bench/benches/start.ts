import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { installPackage, packPackage } from '../../../test/support/n8n/community-package';
import { ensureHost } from '../../../test/support/n8n/host';
import { N8nProcess } from '../../../test/support/n8n/n8n-process';
import { Progress } from '../../../test/support/progress';
import { removeFolder, temporaryFolder } from '../../../test/support/temporaryFolder';
import { atMost, heading, told } from '../report';

const ROUNDS = 5;
/** After it answers, n8n still loads a little. ms. */
const SETTLED_MS = 3_000;

/** What this package adds to n8n: the time until it answers, and its resident memory (read from Linux). */
export async function start(): Promise<void> {
	const host = await ensureHost(new Progress());
	const tarball = await packPackage();
	const folders = [temporaryFolder('n8n'), temporaryFolder('n8n')];
	await installPackage(tarball, folders[1]);
	const measured = folders.map(() => ({ seconds: [] as number[], megabytes: [] as number[] }));
	try {
		for (let round = 0; round <= ROUNDS; round++) {
			for (const [index, userFolder] of folders.entries()) {
				const startedMs = performance.now();
				const n8n = await N8nProcess.start({ host, userFolder, encryptionKey: 'bench'.repeat(5) });
				const seconds = (performance.now() - startedMs) / 1000;
				await wait(SETTLED_MS);
				const megabytes = residentMegabytes(n8n.pid!);
				await n8n.stop();
				// The first start makes the database.
				if (round === 0) continue;
				measured[index].seconds.push(seconds);
				measured[index].megabytes.push(megabytes);
			}
		}
	} finally {
		folders.forEach(removeFolder);
	}
	const [plain, ours] = measured;
	heading('What the package adds to n8n');
	told('seconds to start, n8n alone', plain.seconds);
	told('seconds to start, with this package', ours.seconds);
	const more = ours.seconds.map((value, round) => value - plain.seconds[round]);
	atMost(`seconds more, median of ${ROUNDS} pairs`, more, 1);
	told('MB resident, n8n alone', plain.megabytes);
	told('MB resident, with this package', ours.megabytes);
	const larger = ours.megabytes.map((value, round) => value - plain.megabytes[round]);
	atMost(`MB more, median of ${ROUNDS} pairs`, larger, 25);
}

/** Memory of a process that is not swapped out, as Linux counts it. MiB. */
export function residentMegabytes(pid: number): number {
	const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
	return Number(kilobytes) / 1024;
}
