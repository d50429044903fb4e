import { sleep, type IDataObject } from 'n8n-workflow';

import type { EndpointRecord } from '../endpoint/record';
import { asData } from '../endpoint/record';
import type { Resident } from './resident';
import type { Underway } from './underway';

/** What of an Express response is needed to see an answer go out. */
export interface OutgoingAnswer {
	statusCode: number;
	headersSent: boolean;
	once(event: 'finish', listener: () => void): unknown;
}

/** An accepted delivery on its way to be remembered. */
export interface Remembrance {
	/** The node's static data as this request loaded it. */
	data: IDataObject;
	record: EndpointRecord;
	resident: Resident;
	mark: Underway;
	answer: OutgoingAnswer;
}

/** Turns of the event loop on which static data is touched before the pace slackens. */
const QUICK_TURNS = 200;

/** ms between later touches. */
const SLOW_TURN_MS = 10;

/**
 * Sees an accepted delivery through to its answer: remembers it once the answer went out with 2xx, forgets it
 * otherwise, and until then keeps n8n informed that static data changed.
 *
 * n8n saves static data once more between creating the execution and answering, if it was changed after
 * `webhook()` returned: what is changed before is overlooked. So it is touched on every turn until the
 * answer is out. If the execution cannot be created nothing is saved, and the platform's retry is executed.
 */
export async function rememberWhenAnswered(remembrance: Remembrance): Promise<void> {
	const { data, answer, mark } = remembrance;
	let open = true;
	const settle = () => {
		if (!open) return;
		open = false;
		remembrance.resident.settle(mark, isAccepted(answer), Date.now());
	};
	answer.once('finish', settle);
	keepLive(remembrance, () => open);
	for (let turn = 0; open && Date.now() < mark.untilMs; turn++) {
		await sleep(turn < QUICK_TURNS ? 0 : SLOW_TURN_MS);
		// Where the sender hung up, no `finish` comes, yet n8n answers only what it has taken on.
		if (answer.headersSent) settle();
		else if (open) touch(data);
	}
	if (open) mark.settle(false);
}

function isAccepted({ headersSent, statusCode }: OutgoingAnswer): boolean {
	return headersSent && statusCode >= 200 && statusCode < 300;
}

/** Static data counts as changed when any of its properties is set, to whatever value. */
function touch(data: IDataObject): void {
	data.seen = data.seen ?? {};
}

/**
 * Makes static data turn into text as of the moment of saving: all that this process remembers by then, this
 * delivery (it is being saved, so its execution exists), and the newest endpoint, so that a slow request
 * never writes an old secret over a new one. The plain properties stay what they are for anyone who copies
 * instead of writing text.
 */
function keepLive({ data, record, resident, mark }: Remembrance, isOpen: () => boolean): void {
	const live = () => {
		const own = isOpen() ? mark.fingerprints : [];
		return {
			...data,
			record: asData(resident.record ?? record),
			seen: resident.seen.write(Date.now(), own),
		};
	};
	Object.defineProperty(data, 'toJSON', { value: live, enumerable: false, configurable: true });
	data.record = asData(record);
	data.seen = resident.seen.write(Date.now(), mark.fingerprints);
}
