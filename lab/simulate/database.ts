import { ObservableObject, type IDataObject } from 'n8n-workflow';

import type { StaticData } from './context';
import type { Judge } from './judge';
import type { SimulatedProcess } from './process';
import type { Received } from './received';
import type { Timeline } from './timeline';
import type { Saved, SimulatedWorkflow } from './workflow';

/** n8n's database: what it holds of workflows, and when writes arrive. */
export class SimulatedDatabase {
	private lastLandMs = 0;

	/**
	 * @param away until when the database is away, or slow, in ms of the schedule
	 * @param isInOrder whether writes arrive in order, as in SQLite
	 */
	constructor(
		private readonly timeline: Timeline,
		private readonly away: { database: number; slow: number },
		private readonly isInOrder: boolean,
		private readonly random: () => number,
		private readonly judge: Judge,
	) {}

	/** A query of the database. @throws Error if the database is away */
	async query(process: SimulatedProcess): Promise<void> {
		const isSlow = this.away.slow > this.timeline.nowMs;
		const ms = isSlow ? 300 + this.random() * 5_000 : 2 + this.random() * 8;
		await process.time.wait(ms);
		while (this.away.database > this.timeline.nowMs) {
			if (this.random() < 0.5) throw new Error('The database is not there');
			await process.time.wait(1_000);
		}
	}

	/** @param changed is called when the static data that was loaded changes */
	load(process: SimulatedProcess, workflow: SimulatedWorkflow, changed?: () => void): StaticData {
		const { row } = workflow;
		if (workflow.recordIn(row.text) !== undefined && row.nodeName === workflow.nodeName)
			for (const one of row.holds) process.known.add(one);
		const stored = new Proxy(JSON.parse(row.text) as IDataObject, {
			set(target, name, value) {
				if (name === '__dataChanged' && value === true) changed?.();
				return Reflect.set(target, name, value);
			},
		});
		const options = { ignoreEmptyOnFirstChild: true };
		return ObservableObject.create(stored, undefined, options) as unknown as StaticData;
	}

	/** n8n writes the whole static data if it was changed. The last writer wins. */
	async save(
		process: SimulatedProcess,
		workflow: SimulatedWorkflow,
		staticData: StaticData,
		own?: Received,
		isPublishing = false,
	): Promise<void> {
		if (!staticData.__dataChanged) {
			if (own?.isFalse) process.unsaved.push(own);
			if (isPublishing) workflow.isSaved = true;
			return;
		}
		const { nodeName } = own ?? workflow;
		const holds = new Set(this.judge.toSave(process, workflow));
		if (own?.admittedMs !== undefined) holds.add(own);
		const saved: Saved = {
			text: JSON.stringify(staticData),
			holds,
			nodeName,
			by: process,
			own,
			isPublishing,
			atClock: process.time.now(),
		};
		for (const one of holds) one.saves.push(saved);
		this.judge.saved(saved);
		const isSlow = this.away.slow > this.timeline.nowMs;
		const wayMs = 1 + this.random() * (isSlow ? 3_000 : 6);
		if (this.away.database > this.timeline.nowMs) throw new Error('The database is not there');
		saved.isUnderWay = true;
		// SQLite writes one after the other. Writes over several connections to PostgreSQL can overtake each other.
		const landMs = Math.max(this.timeline.nowMs + wayMs, this.isInOrder ? this.lastLandMs : 0);
		this.lastLandMs = landMs;
		await new Promise<void>((resolve) => {
			this.timeline.at(landMs, () => {
				this.land(workflow, saved);
				if (own === undefined) workflow.savedName = nodeName;
				process.time.run(resolve);
			});
		});
	}

	land(workflow: SimulatedWorkflow, saved: Saved): void {
		saved.landedMs = this.timeline.nowMs;
		this.judge.landed(workflow, saved);
		workflow.row = saved;
		workflow.rows.push(saved);
		if (!saved.isPublishing) return;
		workflow.isSaved = true;
		// The publishing process may not have been able to remove the earlier endpoint.
		workflow.removedMs = Math.min(workflow.removedMs, this.timeline.nowMs);
		workflow.isOverwritten = false;
	}
}
