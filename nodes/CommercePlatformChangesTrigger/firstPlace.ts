import { InputError } from '../shared/errors/errors';
import type { ChangesParameters } from './parameters';
import type { PlatformSource } from './platformSource';
import type { Place } from './state/state';
import { wholeSecond } from './state/watermark';

/**
 * Where the first poll begins: at the chosen time, or with what changes from now on. "Now" is the platform's,
 * and costs one small request, which also shows at publishing whether the key may read the list at all.
 *
 * @throws PlatformError, InputError
 */
export async function firstPlace(
	{ watch, filters, startFromMs, overlapMs }: ChangesParameters,
	probe: PlatformSource,
): Promise<Place> {
	if (watch.kind === 'snapshot') return { kind: 'snapshot', taken: false };
	if (watch.kind === 'stream') {
		const afterEventId = filters.after_event_id;
		if (typeof afterEventId === 'string') return { kind: 'stream', afterEventId, read: 0 };
		if (startFromMs !== undefined) {
			return { kind: 'stream', read: 0, fromMs: startFromMs, isChosen: true };
		}
		return { kind: 'stream', read: 0, fromMs: await platformNow(probe) };
	}
	if (startFromMs !== undefined) return { kind: 'list', sinceMs: wholeSecond(startFromMs) };
	const nowMs = await platformNow(probe);
	// It begins the overlap earlier and passes over what is there, so that late changes are told from old ones.
	// Nor does it begin later than by this machine's clock, since a Date header can be ahead of the records' clock.
	const sinceMs = wholeSecond(Math.min(nowMs, probe.now()) - overlapMs);
	return { kind: 'list', sinceMs, fromMs: nowMs };
}

async function platformNow(probe: PlatformSource): Promise<number> {
	const { platformMs } = await probe.fetch({});
	if (platformMs !== undefined) return platformMs;
	throw new InputError(
		'Start From',
		'must be set: the platform’s answers carry no time',
		'Without a Date header, the trigger cannot tell what changes from now on.',
	);
}
