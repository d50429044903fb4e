import { parseArgs } from 'node:util';

import { startPlatform, type Platform, type PlatformOptions } from '../../platform';
import { apiClient } from '../../platform/support/apiClient';
import type { Job } from './job';

/** What the command line asks for: names of benches, and whether their figures are written into RESULTS.md. */
export const { positionals: CHOSEN, values: FLAGS } = parseArgs({
	allowPositionals: true,
	options: { write: { type: 'boolean' }, small: { type: 'boolean' } },
});

/** Whether each bench makes one small round, to see that it still runs; goals are not looked at then. */
export const IS_SMALL = FLAGS.small === true;

/** How many there are, in full or in a small round. */
export const inSmall = (full: number, small: number): number => (IS_SMALL ? small : full);

/** Settings of a platform with a budget that no bench can spend. */
export const AMPLE: PlatformOptions = {
	validate: false,
	minuteBudget: 100_000_000,
	dayBudget: 1_000_000_000,
};

/** Closes a platform or an environment when what uses it has ended. */
export async function whileOpen<T extends { close(): Promise<void> }>(
	started: Promise<T>,
	use: (opened: T) => Promise<void>,
): Promise<void> {
	const opened = await started;
	try {
		await use(opened);
	} finally {
		await opened.close();
	}
}

/** Runs a platform while `use` runs. */
export const withPlatform = async (
	options: PlatformOptions,
	use: (platform: Platform) => Promise<void>,
): Promise<void> => await whileOpen(startPlatform(options), use);

/** The job that all candidates at this platform share. */
export async function jobFor(
	platform: Platform,
	n8nFolder: string,
): Promise<Omit<Job, 'candidate'>> {
	const products = await apiClient(platform).data<Array<{ id: string }>>('/products?limit=250');
	const { baseUrl, apiKey } = platform;
	return {
		baseUrl,
		apiKey,
		n8nFolder,
		count: 0,
		ids: products.map(({ id }) => id),
		warmUp: true,
		quickExpressions: IS_SMALL,
	};
}
