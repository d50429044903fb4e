import { randomBytes } from 'node:crypto';
import { iso } from '../shop/clock';
import { Refusal } from '../shop/refusal';
import { upsertProduct } from '../shop/catalog';
import type { Shop } from '../shop/shop';
import type { Fields } from '../shop/writing';

/** An import job. The API document does not show its record. */
export type ImportJob = ReturnType<typeof newJob>;

const PER_TURN = 250;
const MAX_ERRORS = 100;

const newJob = (shop: Shop, total: number) => ({
	id: `job_${randomBytes(8).toString('hex')}`,
	type: 'catalog-import',
	status: 'queued',
	total,
	processed: 0,
	succeeded: 0,
	failed: 0,
	/** The first hundred. */
	errors: [] as Array<{ index: number; code: string; message: string }>,
	created_at: iso(shop.clock.now()),
	finished_at: null as string | null,
});

/** Runs imports in the background: a number of operations in each turn of the event loop. */
export class CatalogImports {
	/** Jobs by their ids. A job that is removed stops. */
	readonly jobs = new Map<string, ImportJob>();

	start(shop: Shop, operations: readonly Fields[]): ImportJob {
		const job = newJob(shop, operations.length);
		this.jobs.set(job.id, job);
		setImmediate(() => this.turn(shop, job, operations));
		return { ...job };
	}

	private turn(shop: Shop, job: ImportJob, operations: readonly Fields[]): void {
		if (!this.jobs.has(job.id)) return;
		job.status = 'running';
		const end = Math.min(job.processed + PER_TURN, job.total);
		for (; job.processed < end; job.processed++) apply(shop, job, operations[job.processed]);
		if (job.processed < job.total) {
			setImmediate(() => this.turn(shop, job, operations));
		} else {
			Object.assign(job, { status: 'completed', finished_at: iso(shop.clock.now()) });
		}
	}
}

function apply(shop: Shop, job: ImportJob, operation: Fields): void {
	try {
		upsertProduct(shop, operation);
		job.succeeded++;
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		job.failed++;
		const { code, message } = error;
		if (job.errors.length < MAX_ERRORS) job.errors.push({ index: job.processed, code, message });
	}
}
