import type { SimulatedPlatform } from './platform';
import type { SimulatedProcess } from './process';
import {
	isAhead,
	isDone,
	isHeard,
	isRemoved,
	isRepeat,
	mayBeExecuted,
	isReplaced,
	isStale,
	nameOf,
	type Received,
} from './received';
import { Secrets } from './secrets';
import { EPOCH_MS, type Timeline } from './timeline';
import type { Saved, SimulatedWorkflow } from './workflow';

/** "Usually within a second", and the last moments before a crash (docs/guarantees.md), ms. */
const MOMENT_MS = 1_000;

/** Static data stays below this, characters. */
const LARGEST_STATIC_DATA = 80_000;

/** The description of an endpoint that a user created in the back office. */
export const MADE_BY_HAND = 'made by hand';

const SET_BACK = 'restart the processor and publish again: the clock had been set back';

/** The clock advances while publishing saves how long a secret is kept, ms. */
const SLACK_MS = 2_000;

/** Watches a schedule for broken rules. */
export class Judge {
	/** The first rule that was broken, and how. */
	violation?: string;
	readonly story: string[] = [];
	/** Why deliveries were executed again or lost, by causes that docs/guarantees.md allows. */
	readonly causes = new Map<string, number>();
	readonly received: Received[] = [];
	platform!: SimulatedPlatform;
	secrets!: Secrets;

	constructor(private readonly timeline: Timeline) {}

	/** @param offset how far n8n's clock is ahead of the platform's, ms */
	watch(platform: SimulatedPlatform, offset: () => number): void {
		this.platform = platform;
		const back = () =>
			this.count('a replaced secret that an import or a slower request brought back');
		this.secrets = new Secrets(platform.known, this.timeline, offset, back);
	}

	note(text: string): void {
		if (this.violation !== undefined) return;
		const time = new Date(EPOCH_MS + this.timeline.nowMs).toISOString();
		this.story.push(`${time.slice(8, 10)} ${time.slice(11, 23)}  ${text}`);
	}

	fail(rule: string): void {
		this.note(`BROKEN: ${rule}`);
		this.violation ??= rule;
	}

	private count(cause: string): void {
		this.causes.set(cause, (this.causes.get(cause) ?? 0) + 1);
	}

	/** The trigger accepted a sending as a new delivery. */
	admitted(later: Received): void {
		this.received.push(later);
		const { delivery, workflow, at } = later;
		if (!later.isGenuine) return this.fail(`${nameOf(later)} is a forgery, and is executed`);
		if (delivery.to.endpoint.url !== workflow.address)
			return this.fail(`${nameOf(later)} is of another workflow's endpoint, and is executed`);
		if (!later.events!.includes(delivery.event))
			this.fail(`${nameOf(later)} is of an event that is not selected, and is executed`);
		if (isReplaced(later)) {
			// Until publishing is complete and saved, a process uses its own last state, and an export may restore an older
			// one.
			const isOpen = later.isEarly || !workflow.isSaved;
			const isUnknown = isOpen && (at.name !== 'main' || delivery.to.isBack);
			if (isUnknown) this.count('a replaced secret while it was published again');
			else if (workflow.isOverwritten)
				this.count('a replaced secret that a slower request had saved');
			else if (isAhead(at, workflow, this.received)) this.count(SET_BACK);
			else this.fail(`${nameOf(later)} is signed with a replaced secret, and is executed`);
		}
		if (isStale(later)) this.fail(`${nameOf(later)} is more than 5 minutes old, and is executed`);
		for (const earlier of this.received) {
			if (earlier === later || earlier.admittedMs === undefined) continue;
			if (!mayBeExecuted(earlier) || !isRepeat(later, earlier)) continue;
			const cause = this.excuse(earlier, later, at);
			if (cause === undefined)
				this.fail(`${nameOf(later)} is executed again after ${nameOf(earlier)}`);
			else this.count(`executed again: ${cause}`);
		}
	}

	/** Why a delivery that was answered may be executed again (docs/guarantees.md); undefined if it may not. */
	private excuse(earlier: Received, later: Received, at: SimulatedProcess): string | undefined {
		if (at.known.has(earlier) || (earlier.at === at && earlier.answeredMs === undefined))
			return undefined;
		if (earlier.answeredMs === undefined && earlier.saves.length === 0)
			return earlier.at.time.isAlive
				? 'sent to two processes at once'
				: 'the process ended before it answered';
		const isRenamed = earlier.nodeName !== later.nodeName;
		if (later.isEarly && (isRenamed || !later.hasRecord))
			return 'renamed, and not yet published under its new name';
		const { rows } = later.workflow;
		// A save under an earlier name of the node does not count for the present name.
		const isOfName = ({ text }: Saved) =>
			later.workflow.recordIn(text, later.nodeName) !== undefined;
		const landed = earlier.saves.filter(({ landedMs = Infinity }) => landedMs <= later.loadedMs!);
		if (landed.length > 0) {
			if (later.loaded!.nodeName !== later.nodeName)
				return 'saved under an earlier name of the node';
			const first = Math.min(...landed.map((saved) => rows.indexOf(saved)));
			// In queue mode an older write of the same process can arrive later, over another connection.
			const mayBeOwn = earlier.at.name !== 'main';
			const isOverwritten = rows
				.slice(first, rows.indexOf(later.loaded!) + 1)
				.some(
					(row) =>
						!isOfName(row) || ((mayBeOwn || row.by !== earlier.at) && !row.holds.has(earlier)),
				);
			return isOverwritten ? 'overwritten by an older write or an import' : undefined;
		}
		if (earlier.saves.some(({ isUnderWay }) => isUnderWay)) return 'its save was under way';
		if (earlier.saves.length > 0) return 'n8n could not save it';
		if (later.loadedMs! - earlier.answeredMs! < MOMENT_MS) return 'sent to two processes at once';
		if (earlier.at.crashedMs - earlier.answeredMs! < MOMENT_MS)
			return 'the last moments before a crash';
		if (!earlier.hasRecord) return 'received while nothing was stored under its name of the node';
		if (later.workflow.recordIn(earlier.loaded!.text, earlier.nodeName)?.endpoint === null)
			return 'received while no endpoint was stored';
		if (earlier.loaded!.isOlder) return 'received while an older state was stored';
		if (earlier.isEarly) return 'received while it was being published';
		if (earlier.isUnpublished) return 'answered while it was not published';
		const isBeside = ({ admittedMs, endedMs }: Received) =>
			admittedMs! <= earlier.answeredMs! && endedMs! >= earlier.admittedMs!;
		return earlier.at.unsaved.some(isBeside)
			? 'the delivery that was to save it failed'
			: undefined;
	}

	/** Everything that a process must save: all that it knows. */
	toSave(at: SimulatedProcess, workflow: SimulatedWorkflow): Received[] {
		return [...at.known].filter((sending) => sending.workflow === workflow);
	}

	executed(sending: Received): void {
		this.note(`${sending.at.name} stores the execution of ${nameOf(sending)}`);
	}

	/** n8n answers, even if nobody hears it. */
	answered(sending: Received): void {
		const { at, status = 0, reason } = sending;
		const false200 = sending.isFalse ? ' without an execution' : '';
		this.note(
			`${at.name} answers ${nameOf(sending)} with ${status}${reason ? `, ${reason}` : ''}${false200}`,
		);
		sending.answeredAtClock = at.time.now();
		sending.isUnpublished = !sending.workflow.isPublished;
		if (isDone(status) && sending.admittedMs !== undefined) at.known.add(sending);
		if (reason === undefined) return;
		this.received.push(sending);
		if (!sending.isGenuine) return;
		const record = sending.loaded && sending.workflow.recordIn(sending.loaded.text);
		const { workflow } = sending;
		const isHere = sending.delivery.to.endpoint.url === workflow.address;
		if (status === 401 && isHere && record && workflow.isSaved) {
			const { endpoint, keptUntilClock = 0 } = sending.delivery.to;
			const isKept = sending.loadedAtClock! < keptUntilClock - SLACK_MS;
			const isCurrent = record.endpoint?.id === endpoint.id;
			if (isCurrent && isAhead(sending.at, workflow, this.received)) this.count(SET_BACK);
			else if (isCurrent && isRemoved(sending, SLACK_MS))
				this.count('refused: publishing removed its endpoint, and failed then');
			else if (isCurrent)
				this.fail(
					`${nameOf(sending)} is signed with the secret of the endpoint that was loaded, and is refused`,
				);
			if (isKept && workflow.parameters.options.acceptPreviousSecret !== false)
				this.fail(
					`${nameOf(sending)} is signed with a secret that is still accepted, and is refused`,
				);
		}
		if (status === 400 && !isStale(sending)) this.fail(`${nameOf(sending)} is refused: ${reason}`);
		if (reason === 'event not selected' && sending.events?.includes(sending.delivery.event))
			this.fail(`${nameOf(sending)} is of a selected event, and is not executed`);
		if (reason === 'the same delivery is still being received' && !this.isBusy(sending))
			this.fail(`${nameOf(sending)} is refused as still being received, and it is not`);
	}

	private isBusy(later: Received): boolean {
		return [...this.received, ...later.at.inFlight].some(
			(earlier) =>
				earlier !== later &&
				earlier.at === later.at &&
				earlier.admittedMs !== undefined &&
				(earlier.answeredMs ?? Infinity) >= later.loadedMs! &&
				isRepeat(later, earlier),
		);
	}

	/** The sender heard an answer, or gave up. */
	heard(earlier: Received): void {
		if (earlier.heard === undefined) this.note(`the sender of ${nameOf(earlier)} hears nothing`);
	}

	/** A save arrives. Only a request that is slower than the publishing may save an older endpoint. */
	landed(workflow: SimulatedWorkflow, saved: Saved): void {
		const { text, own } = saved;
		this.secrets.saved(workflow, saved);
		if (own === undefined) return;
		// n8n writes static data whole: what a request saves that began under an earlier name lacks the present one.
		if (workflow.recordIn(text) === undefined) workflow.savedName = own.nodeName;
		const [old, present] = [text, workflow.row.text].map(
			(stored) => workflow.recordIn(stored)?.endpoint?.id,
		);
		saved.isOlder = old !== undefined && (old !== present || workflow.row.isOlder);
		if (old === present || !workflow.isSaved) return;
		workflow.isSaved = false;
		workflow.isOverwritten = true;
		workflow.savedName = own.nodeName;
		// With one main process, a save has the newest record, but under the name that the node had at the time.
		const mayBeOlder = own.at.name !== 'main' || own.nodeName !== workflow.nodeName;
		const loadedOlder = own.loadedMs! <= workflow.removedMs || own.loaded!.isOlder;
		if (mayBeOlder && loadedOlder)
			this.count('publish again: a request was slower than the publishing');
		else if (isAhead(own.at, workflow, this.received)) this.count(SET_BACK);
		else this.fail(`what is saved for ${nameOf(own)} overwrites the endpoint’s record`);
	}

	saved({ text }: Saved): void {
		if (text.length >= LARGEST_STATIC_DATA) this.fail(`static data has ${text.length} characters`);
	}

	/** A hook has changed the endpoint and saved the result. The platform may have refused some of its requests. */
	replaced(workflow: SimulatedWorkflow, beganMs: number): void {
		const { hinderedMs, endpoints } = this.platform;
		const own = [...endpoints.values()].filter(
			({ endpoint: { url, description } }) =>
				url === workflow.address && description !== MADE_BY_HAND,
		);
		if (hinderedMs < beganMs && own.length > 1)
			this.fail(`${own.length} endpoints are at ${workflow.address} after publishing`);
		this.secrets.replaced(workflow);
	}

	/** At the end: every delivery that was answered 2xx has an execution, or a documented reason for having none. */
	conclude(): void {
		for (const heard of this.received) {
			if (!isHeard(heard) || heard.isExecuted || heard.reason === 'event not selected') continue;
			if (heard.isFalse || heard.isLost) {
				this.count(
					heard.isFalse ? 'lost: a false 200 of n8n' : 'lost: n8n before 2.8 answered first',
				);
				continue;
			}
			const same = this.received.filter(
				(sending) => sending.admittedMs !== undefined && isRepeat(heard, sending),
			);
			if (same.some(({ isExecuted }) => isExecuted)) continue;
			if (same.some(({ isFalse, isLost }) => isFalse ?? isLost))
				this.count('lost: a repeat of what got a false 200');
			else this.fail(`${nameOf(heard)} was answered with 2xx, and was never executed`);
		}
	}
}
