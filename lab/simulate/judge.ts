import type { SimulatedPlatform } from './platform';
import type { SimulatedProcess } from './process';
import {
	REMEMBERED_HOURS,
	isAhead,
	isDone,
	isHeard,
	isRepeat,
	isReplaced,
	isStale,
	nameOf,
	type Received,
} from './received';
import { Secrets } from './secrets';
import { EPOCH_MS, type Timeline } from './timeline';
import type { Saved, SimulatedWorkflow } from './workflow';

/** A sender's answer that comes later may be one that it did not hear (docs/trigger.md). ms. */
const HEARD_MS = 8_000;

/** "Usually within half a second", and the last moments before a crash (docs/trigger.md). ms. */
const MOMENT_MS = 1_000;

/** docs/trigger.md. Characters. */
const LARGEST_STATIC_DATA = 80_000;

/** The description of an endpoint that somebody made in the back office. */
export const MADE_BY_HAND = 'made by hand';

const SET_BACK = 'restart the processor and publish again: the clock had been set back';

const HOUR_MS = 3_600_000;

/** The clock goes on while publishing saves until when a secret is kept. ms. */
const SLACK_MS = 2_000;

/** Watches a schedule for what must not happen. */
export class Judge {
	/** The first rule that was broken, and how. */
	violation?: string;
	readonly story: string[] = [];
	/** Why deliveries were executed again or lost, as docs/trigger.md allows it. */
	readonly causes = new Map<string, number>();
	readonly received: Received[] = [];
	platform!: SimulatedPlatform;
	secrets!: Secrets;

	constructor(private readonly timeline: Timeline) {}

	/** @param offset of n8n's clock from the platform's. ms */
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

	/** The trigger took a sending for a new delivery. */
	admitted(two: Received): void {
		this.received.push(two);
		const { delivery, workflow, at } = two;
		if (!two.isGenuine) return this.fail(`${nameOf(two)} is a forgery, and is executed`);
		if (delivery.to.endpoint.url !== workflow.address)
			return this.fail(`${nameOf(two)} is of another workflow's endpoint, and is executed`);
		if (!two.events!.includes(delivery.event))
			this.fail(`${nameOf(two)} is of an event that is not selected, and is executed`);
		if (isReplaced(two)) {
			// Until publishing is complete and saved, a process knows what it knew last, and an export what it held.
			const isOpen = two.isEarly || !workflow.isSaved;
			const isUnknown = isOpen && (at.name !== 'main' || delivery.to.isBack);
			if (isUnknown) this.count('a replaced secret while it was published again');
			else if (workflow.isOverwritten)
				this.count('a replaced secret that a slower request had saved');
			else if (isAhead(at, workflow, this.received)) this.count(SET_BACK);
			else this.fail(`${nameOf(two)} is signed with a replaced secret, and is executed`);
		}
		if (isStale(two)) this.fail(`${nameOf(two)} is more than 5 minutes old, and is executed`);
		for (const one of this.received) {
			if (one === two || one.admittedMs === undefined) continue;
			if (!isHeard(one) || !isRepeat(two, one)) continue;
			const cause = this.excuse(one, two, at);
			if (cause === undefined)
				this.fail(`${nameOf(two)} was heard as ${nameOf(one)}, and is executed again`);
			else this.count(`executed again: ${cause}`);
		}
	}

	/** Why what was heard may be executed again (docs/trigger.md); undefined if it may not. */
	private excuse(one: Received, two: Received, at: SimulatedProcess): string | undefined {
		if (one.answeredMs! - one.loadedMs! > HEARD_MS) return 'answered after 8 seconds';
		const agedMs = at.time.now() - one.answeredAtClock!;
		if (agedMs >= REMEMBERED_HOURS * HOUR_MS) return 'longer ago than deliveries are remembered';
		if (one.at !== at && this.isDoubted(two, at)) return 'its process had saved it, unheard';
		if (at.known.has(one)) return undefined;
		const isRenamed = one.nodeName !== two.nodeName;
		if (two.isEarly && (isRenamed || !two.hasRecord))
			return 'renamed, and not yet published under its new name';
		const { rows } = two.workflow;
		// What is saved under an earlier name of the node holds nothing for the present one.
		const isOfName = ({ text }: Saved) => two.workflow.recordIn(text, two.nodeName) !== undefined;
		const landed = one.saves.filter(({ landedMs = Infinity }) => landedMs <= two.loadedMs!);
		if (landed.length > 0) {
			if (two.loaded!.nodeName !== two.nodeName) return 'saved under an earlier name of the node';
			const first = Math.min(...landed.map((saved) => rows.indexOf(saved)));
			// In queue mode a process's own older write can arrive later, over another connection.
			const mayBeOwn = one.at.name !== 'main';
			const isOverwritten = rows
				.slice(first, rows.indexOf(two.loaded!) + 1)
				.some((row) => !isOfName(row) || ((mayBeOwn || row.by !== one.at) && !row.holds.has(one)));
			return isOverwritten ? 'overwritten by an older write or an import' : undefined;
		}
		if (one.saves.some(({ isUnderWay }) => isUnderWay)) return 'its save was under way';
		if (one.saves.length > 0) return 'n8n could not save it';
		if (two.loadedMs! - one.answeredMs! < MOMENT_MS) return 'sent to two processes at once';
		if (one.at.crashedMs - one.answeredMs! < MOMENT_MS) return 'the last moments before a crash';
		if (!one.hasRecord) return 'received while nothing was stored under its name of the node';
		if (two.workflow.recordIn(one.loaded!.text, one.nodeName)?.endpoint === null)
			return 'received while no endpoint was stored';
		if (one.loaded!.isOlder) return 'received while an older state was stored';
		if (one.isEarly) return 'received while it was being published';
		const isBeside = ({ admittedMs, endedMs }: Received) =>
			admittedMs! <= one.answeredMs! && endedMs! >= one.admittedMs!;
		return one.at.unsaved.some(isBeside) ? 'the delivery that was to save it failed' : undefined;
	}

	private isDoubted(two: Received, at: SimulatedProcess): boolean {
		return this.doubtedBy(at).some((one) => one !== two && isRepeat(two, one));
	}

	/** What this process has saved itself, and its sender did not hear, or too late to count. */
	private doubtedBy(at: SimulatedProcess): Received[] {
		return this.received.filter((one) => {
			if (one.at !== at || one.endedMs === undefined) return false;
			const isUnheard = !isHeard(one) || one.answeredMs! - one.loadedMs! > HEARD_MS;
			return isUnheard && one.saves.some(({ own }) => own === one);
		});
	}

	/** Everything that a process has to save: what it knows, but for what it doubts itself. */
	toSave(at: SimulatedProcess, workflow: SimulatedWorkflow): Received[] {
		const doubted = this.doubtedBy(at);
		return [...at.known].filter((one) => {
			if (one.workflow !== workflow) return false;
			return one.at === at || !doubted.some((unheard) => isRepeat(one, unheard));
		});
	}

	executed(one: Received): void {
		this.note(`${one.at.name} stores the execution of ${nameOf(one)}`);
	}

	/** n8n answers, whether or not anybody is there to hear it. */
	answered(one: Received): void {
		const { at, status = 0, reason } = one;
		const false200 = one.isFalse ? ' without an execution' : '';
		this.note(
			`${at.name} answers ${nameOf(one)} with ${status}${reason ? `, ${reason}` : ''}${false200}`,
		);
		one.answeredAtClock = at.time.now();
		if (isDone(status) && one.admittedMs !== undefined) at.known.add(one);
		if (reason === undefined) return;
		this.received.push(one);
		if (!one.isGenuine) return;
		const record = one.loaded && one.workflow.recordIn(one.loaded.text);
		const { workflow } = one;
		const isHere = one.delivery.to.endpoint.url === workflow.address;
		if (status === 401 && isHere && record && workflow.isSaved) {
			const { endpoint, keptUntilClock = 0 } = one.delivery.to;
			const isKept = one.loadedAtClock! < keptUntilClock - SLACK_MS;
			const isCurrent = record.endpoint?.id === endpoint.id;
			if (isCurrent && isAhead(one.at, workflow, this.received)) this.count(SET_BACK);
			else if (isCurrent)
				this.fail(
					`${nameOf(one)} is signed with the secret of the endpoint that was loaded, and is refused`,
				);
			if (isKept && workflow.parameters.options.acceptPreviousSecret !== false)
				this.fail(`${nameOf(one)} is signed with a secret that is still accepted, and is refused`);
		}
		if (status === 400 && !isStale(one)) this.fail(`${nameOf(one)} is refused: ${reason}`);
		if (reason === 'event not selected' && one.events?.includes(one.delivery.event))
			this.fail(`${nameOf(one)} is of a selected event, and is not executed`);
		if (status === 409 && !this.isBusy(one))
			this.fail(`${nameOf(one)} is refused as still being received, and it is not`);
	}

	private isBusy(two: Received): boolean {
		return [...this.received, ...two.at.inFlight].some(
			(one) =>
				one !== two &&
				one.at === two.at &&
				one.admittedMs !== undefined &&
				(one.answeredMs ?? Infinity) >= two.loadedMs! &&
				isRepeat(two, one),
		);
	}

	/** The sender heard an answer, or went without one. */
	heard(one: Received): void {
		if (one.heard === undefined) this.note(`the sender of ${nameOf(one)} hears nothing`);
		if (!isHeard(one) || one.admittedMs === undefined) return;
		if (one.answeredMs! - one.loadedMs! > HEARD_MS) return;
		const again = this.received.find(
			(two) =>
				two !== one &&
				two.at === one.at &&
				two.admittedMs! > one.admittedMs! &&
				two.admittedMs! <= one.answeredMs! &&
				isRepeat(two, one),
		);
		if (again) this.fail(`${nameOf(again)} did not wait for ${nameOf(one)}, and is executed again`);
	}

	/** A save arrives: one that knows an older endpoint may be slower than the publishing, and nothing else. */
	landed(workflow: SimulatedWorkflow, saved: Saved): void {
		const { text, own } = saved;
		this.secrets.saved(workflow, saved);
		if (own === undefined) return;
		const [old, present] = [text, workflow.row.text].map(
			(one) => workflow.recordIn(one)?.endpoint?.id,
		);
		saved.isOlder = old !== undefined && (old !== present || workflow.row.isOlder);
		if (old === present || !workflow.isSaved) return;
		workflow.isSaved = false;
		workflow.isOverwritten = true;
		workflow.savedName = own.nodeName;
		// In one process, what is saved holds the newest record, but under the name that the node had.
		const mayBeOlder = own.at.name !== 'main' || own.nodeName !== workflow.nodeName;
		const loadedOlder = own.loadedMs! <= workflow.removedMs || own.loaded!.isOlder;
		if (mayBeOlder && loadedOlder && own.changedMs! - own.loadedMs! <= HEARD_MS)
			this.count('publish again: a request was slower than the publishing');
		else if (isAhead(own.at, workflow, this.received)) this.count(SET_BACK);
		else this.fail(`what is saved for ${nameOf(own)} overwrites the endpoint’s record`);
	}

	saved({ text }: Saved): void {
		if (text.length >= LARGEST_STATIC_DATA) this.fail(`static data has ${text.length} characters`);
	}

	/** A hook has changed the endpoint, and what it learned is saved. What the platform refused it, it could not do. */
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

	/** At the end: whoever heard 2xx has an execution, or a reason that is documented. */
	conclude(): void {
		for (const two of this.received) {
			if (!isHeard(two) || two.isExecuted || two.reason === 'event not selected') continue;
			if (two.isFalse || two.isLost) {
				this.count(
					two.isFalse ? 'lost: a false 200 of n8n' : 'lost: n8n before 2.8 answered first',
				);
				continue;
			}
			const same = this.received.filter(
				(one) => one.admittedMs !== undefined && isRepeat(two, one),
			);
			if (same.some(({ isExecuted }) => isExecuted)) continue;
			const isSaved = ({ at, saves }: Received) =>
				at !== two.at && saves.some(({ landedMs = Infinity }) => landedMs <= two.loadedMs!);
			const isOpen = ({ at, wasOpen, loadedMs, answeredMs }: Received) =>
				at === two.at && wasOpen && answeredMs! - loadedMs! <= HEARD_MS;
			const empty = same.filter(({ isFalse, isLost }) => isFalse ?? isLost);
			if (empty.some(isHeard)) this.count('lost: a repeat of what got a false 200');
			else if (empty.some(isSaved))
				this.count('lost: a false 200 was saved before its sender hung up');
			else if (empty.some(isOpen)) this.count('lost: a false 200 and the hanging up crossed');
			else this.fail(`${nameOf(two)} was answered with 2xx, and was never executed`);
		}
	}
}
