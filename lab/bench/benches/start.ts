import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { installPackage, packPackage } from '../../../test/support/n8n/community-package';
import { ensureHost } from '../../../test/support/n8n/host';
import { N8nProcess } from '../../../test/support/n8n/n8n-process';
import { Progress } from '../../../test/support/progress';
import { removeFolder, temporaryFolder } from '../../../test/support/temporaryFolder';
import { atMost, figure, heading } from '../report';
import { inSmall } from '../shop';

const ROUNDS = inSmall(5, 1);
/** After its first answer, n8n still loads a little, ms. */
const SETTLED_MS = 3_000;

/** What this package adds to the time until n8n answers, and to its resident memory (read from Linux). */
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
				// The first start creates the database, so it does not count.
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
	figure('seconds to start, n8n alone', plain.seconds);
	figure('seconds to start, with this package', ours.seconds);
	const secondsMore = ours.seconds.map((value, round) => value - plain.seconds[round]);
	atMost(`seconds more, median of ${ROUNDS} pairs`, secondsMore, 1);
	figure('MB resident, n8n alone', plain.megabytes);
	figure('MB resident, with this package', ours.megabytes);
	const megabytesMore = ours.megabytes.map((value, round) => value - plain.megabytes[round]);
	atMost(`MB more, median of ${ROUNDS} pairs`, megabytesMore, 25);
}

/** Resident memory of a process, as Linux counts it, MiB. */
export function residentMegabytes(pid: number): number {
	const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
	return Number(kilobytes) / 1024;
}
