import type { PlatformClient } from '../shared/api/client';
import { NEWEST_FIRST } from '../shared/api/pages';
import { InputError, settled } from '../shared/errors/errors';
import type { ChangesParameters } from './parameters';
import { PlatformSource } from './platformSource';
import { earliest, wholeSecond, type Place } from './state';
import { readChange, type Change } from './walk/change';

/** Records that "Fetch Test Event" shows at most. */
const SAMPLE_SIZE = 5;

/**
 * Where the first poll begins: at the chosen time, or with what changes from now on. "Now" is the platform's, but
 * never later than n8n's own clock says, and costs one small request, which also shows at publishing whether the
 * key may read the list at all.
 *
 * @throws PlatformError, InputError
 */
export async function firstPlace(
	client: PlatformClient,
	{ watch, filters, startFromMs, overlapMs }: ChangesParameters,
): Promise<Place> {
	if (watch.kind === 'snapshot') return { kind: 'snapshot', taken: false };
	const { after_event_id: afterEventId } = filters;
	if (watch.kind === 'stream' && typeof afterEventId === 'string') {
		return { kind: 'stream', afterEventId, read: 0 };
	}
	const now = async () => await platformNow(new PlatformSource(client, watch, filters, 1));
	if (watch.kind === 'stream') {
		return { kind: 'stream', read: 0, fromMs: startFromMs ?? (await now()) };
	}
	if (startFromMs !== undefined) return { kind: 'list', sinceMs: wholeSecond(startFromMs) };
	const fromMs = await now();
	// It begins the overlap earlier and passes over what is there, so that late changes are told from old ones.
	return { kind: 'list', sinceMs: wholeSecond(fromMs - overlapMs), fromMs };
}

async function platformNow(probe: PlatformSource): Promise<number> {
	const { asked } = await probe.fetch({});
	if (asked.platformMs !== undefined) return earliest(asked);
	throw new InputError(
		'Start From',
		'must be set: the platform’s answers carry no time',
		'Without a Date header, the trigger cannot tell what changes from now on.',
	);
}

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
	const sorted = await settled(source.fetch(watch.kind === 'list' ? { sort: NEWEST_FIRST } : {}));
	const isUnsorted =
		sorted.status === 'rejected' && watch.kind === 'list' && source.refusedQuery(sorted.reason);
	if (sorted.status === 'rejected' && !isUnsorted) throw sorted.reason;
	const page = sorted.status === 'fulfilled' ? sorted.value : await source.fetch({});
	return page.records
		.slice(0, SAMPLE_SIZE)
		.map((record) => readChange(record, watch.identity, earliest(page.asked)));
}
