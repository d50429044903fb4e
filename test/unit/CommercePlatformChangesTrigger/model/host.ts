import {
	isFull,
	loadState,
	MEMORY_BOUNDS,
	settle,
	toStored,
	type ChangesState,
	type EmissionOutcome,
	type Subject,
} from '../../../../nodes/CommercePlatformChangesTrigger/state';
import { advance } from '../../../../nodes/CommercePlatformChangesTrigger/walk';
import { isEndless, ModelPlatform } from './platform';

type Version = ReturnType<typeof ModelPlatform.versionOf>;

/** The fate of an emission in n8n. */
export interface Fate {
	/** The node's state reaches the database. */
	saved: boolean;
	/** The execution is created. */
	started: boolean;
	/** Polls until the node learns how it ended. */
	toldAfterPolls: number;
}

/** The usual fate. */
export const GOOD: Fate = { saved: true, started: true, toldAfterPolls: 0 };

/** How late a change may become visible, ms. */
export const OVERLAP_MS = 120_000;

interface Handed {
	id: string;
	versions: Version[];
	fate: Fate;
	polls: number;
	/** The node knew how it ended, and its state with that reached the database. */
	safe: boolean;
	known: boolean;
}

const SUBJECT: Subject = {
	workflowId: 'w',
	credential: 'c',
	address: 'https://shop.example/v1',
	watch: 'order',
	filters: '{}',
};

function firstState({ nowMs }: ModelPlatform): ChangesState {
	return {
		subject: SUBJECT,
		revision: 0,
		place: {
			kind: 'list',
			sinceMs: Math.floor((nowMs - OVERLAP_MS) / 1000) * 1000,
			fromMs: 0,
			walk: null,
		},
		versions: new Map(),
		emissions: [],
	};
}

/** n8n around the trigger: a sequence of processes on one database. */
export class ModelHost {
	/** How often each version was executed, by its number. */
	readonly executed = new Map<number, number>();
	/** Versions that a crash allows to be repeated, and how often. */
	readonly excused = new Map<number, number>();
	/** The last executed version of each record, as a reader sees it. */
	readonly latest = new Map<string, string>();
	largest = 0;
	/** Consecutive polls that neither reached the end nor found anything, and their maximum. */
	private idle = 0;
	mostIdle = 0;
	/** Whether a poll said that the list would never end. */
	saidEndless = false;
	/** The error of the last poll. */
	error: unknown;
	private database: string;
	private state: ChangesState;
	private handed: Handed[] = [];
	private emissions = 0;

	constructor(
		private readonly platform: ModelPlatform,
		private readonly bounds = MEMORY_BOUNDS,
	) {
		this.state = firstState(platform);
		this.database = JSON.stringify(toStored(this.state));
	}

	/** @returns whether the walk reached its end */
	async poll(maxPages: number, fate: Fate): Promise<boolean> {
		for (const one of this.handed) one.polls++;
		const { state } = settle(this.state, ({ id }) => this.outcomeOf(id));
		const limits = { maxPages, overlapMs: OVERLAP_MS, nowMs: 0, hasTime: () => true };
		const id = `emission-${this.emissions++}`;
		const step = await advance(state, this.platform.source, limits, id, this.bounds);
		this.state = step.state;
		if (step.error instanceof TypeError) throw step.error;
		this.error = step.error;
		this.saidEndless ||= isEndless(step.error);
		const { place } = step.state;
		const isComplete =
			step.error === undefined &&
			!isFull(state, this.bounds) &&
			place.kind === 'list' &&
			place.walk === null;
		const isIdle = !isComplete && step.changes.length === 0 && step.error === undefined;
		this.idle = isIdle && this.state.emissions.length === 0 ? this.idle + 1 : 0;
		this.mostIdle = Math.max(this.mostIdle, this.idle);
		this.measure();
		if (step.changes.length > 0) {
			this.handOver(
				id,
				step.changes.map(({ record }) => ModelPlatform.versionOf(record)),
				fate,
			);
		}
		return isComplete;
	}

	/** n8n dies and starts again: only the database is left. */
	restart(): void {
		for (const { versions, fate, safe } of this.handed) {
			if (safe || !fate.started) continue;
			for (const { number } of versions)
				this.excused.set(number, (this.excused.get(number) ?? 0) + 1);
		}
		this.handed = [];
		const stored = loadState(JSON.parse(this.database), undefined, SUBJECT);
		if (stored.state === undefined) throw new Error('The database holds no usable state.');
		this.state = stored.state;
	}

	private outcomeOf(id: string): EmissionOutcome {
		const one = this.handed.find((handed) => handed.id === id);
		if (one === undefined) return 'failed';
		if (one.polls <= one.fate.toldAfterPolls) return 'pending';
		one.known = true;
		return one.fate.started ? 'done' : 'failed';
	}

	private handOver(id: string, versions: Version[], fate: Fate): void {
		if (fate.saved) {
			this.database = JSON.stringify(toStored(this.state));
			for (const one of this.handed) one.safe ||= one.known && one.fate.started;
		}
		if (fate.started) {
			for (const version of versions) {
				const { id: record, number } = version;
				this.executed.set(number, (this.executed.get(number) ?? 0) + 1);
				this.latest.set(record, this.platform.looksOf(version));
			}
		}
		this.handed.push({ id, versions, fate, polls: 0, safe: false, known: false });
	}

	private measure(): void {
		const pending = this.state.emissions.reduce((sum, { versions }) => sum + versions.size, 0);
		this.largest = Math.max(this.largest, this.state.versions.size + pending);
	}
}
