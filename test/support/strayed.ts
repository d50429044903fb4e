import type { Platform } from '../../platform';

/** Everything that broke the API document since this platform started: its own answers, and requests to it. */
export async function strayed({ control }: Pick<Platform, 'control'>): Promise<string[]> {
	const { violations, refusedRequests } = await control.counters();
	return [...violations, ...refusedRequests];
}
