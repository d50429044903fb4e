import type { PlatformClient } from '../shared/api/client';
import { NEWEST_FIRST } from '../shared/api/pages';
import type { ChangesParameters } from './parameters';
import { PlatformSource } from './platformSource';
import { readChange, type Change } from './walk/change';

/** Records that "Fetch Test Event" shows at most. */
const SAMPLE_SIZE = 5;

/**
 * The newest records, for building the workflow. Remembers nothing and moves nothing.
 *
 * @throws PlatformError
 */
export async function fetchSample(
	client: PlatformClient,
	{ watch, filters }: ChangesParameters,
): Promise<Change[]> {
	const source = new PlatformSource(client, watch, filters, SAMPLE_SIZE);
	const sorted = watch.kind === 'list' ? { sort: NEWEST_FIRST } : {};
	const page = await source.fetch(sorted).catch(async (error: unknown) => {
		if (watch.kind === 'list' && source.refusedQuery(error)) return await source.fetch({});
		throw error;
	});
	const readAtMs = page.platformMs ?? source.now();
	return page.records
		.slice(0, SAMPLE_SIZE)
		.map((record) => readChange(record, watch.identity, readAtMs));
}
