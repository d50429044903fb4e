import { boundKeys, KEY_BOUNDS, type KeyBounds } from '../state/keys';
import { isFull } from '../state/settle';
import type { ChangesState, Place } from '../state/state';
import { keepFromMs } from '../state/watermark';
import { walkList } from './walkList';
import { walkSnapshot } from './walkSnapshot';
import { walkStream } from './walkStream';
import type { PageSource, PollLimits, Step } from './step';

const WALKS: Record<
	Place['kind'],
	(state: ChangesState, source: PageSource, limits: PollLimits) => Promise<Step>
> = { list: walkList, snapshot: walkSnapshot, stream: walkStream };

/**
 * One poll: goes on where the state says, as far as the limits allow, and enters what it found as an emission
 * of this process. Sends nothing but the source's requests, and never throws: an error is part of the step.
 *
 * @param process the name of this process
 */
export async function advance(
	state: ChangesState,
	source: PageSource,
	limits: PollLimits,
	process: string,
	bounds: KeyBounds = KEY_BOUNDS,
): Promise<Step & { emissionId?: number }> {
	const revision = state.revision + 1;
	const counted = { ...state, revision };
	if (isFull(state, bounds.maxPending)) {
		return { state: counted, before: state.place, changes: [], complete: false };
	}
	const step = await WALKS[state.place.kind](counted, source, limits);
	const { changes, before } = step;
	if (changes.length === 0) return { ...step, state: bounded(step.state, bounds) };
	const keys = new Map(changes.map(({ key, atMs }) => [key, atMs]));
	const emission = { id: revision, process, handedOverMs: source.now(), before, keys };
	const entered = { ...step.state, emissions: [...step.state.emissions, emission] };
	return { ...step, state: bounded(entered, bounds), emissionId: revision };
}

function bounded(state: ChangesState, bounds: KeyBounds): ChangesState {
	return { ...state, seen: boundKeys(state.seen, keepFromMs(state), bounds) };
}
