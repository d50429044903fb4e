import { randomBytes } from 'node:crypto';
import { iso } from '../shop/clock';
import { Refusal } from '../shop/refusal';
import { upsertProduct } from '../shop/catalog';
import type { Shop } from '../shop/shop';

/** An import job. Its record is not shown in the API document. */
export interface ImportJob {
	id: string;
	type: 'catalog-import';
	status: 'queued' | 'running' | 'completed';
	total: number;
	processed: number;
	succeeded: number;
	failed: number;
	/** The first hundred. */
	errors: Array<{ index: number; code: string; message: string }>;
	created_at: string;
	finished_at: string | null;
}

const PER_TURN = 250;
const MAX_ERRORS = 100;

/** Runs imports in the background, some operations a turn of the event loop. */
export class CatalogImports {
	private readonly jobs = new Map<string, ImportJob>();

	start(shop: Shop, operations: ReadonlyArray<Record<string, unknown>>): ImportJob {
		const job: ImportJob = {
			id: `job_${randomBytes(8).toString('hex')}`,
			type: 'catalog-import',
			status: 'queued',
			total: operations.length,
			processed: 0,
			succeeded: 0,
			failed: 0,
			errors: [],
			created_at: iso(shop.clock.now()),
			finished_at: null,
		};
		this.jobs.set(job.id, job);
		setImmediate(() => this.turn(shop, job, operations));
		return job;
	}

	get(id: string): ImportJob | undefined {
		return this.jobs.get(id);
	}

	get count(): number {
		return this.jobs.size;
	}

	/** Forgets all jobs; those still running stop. */
	reset(): void {
		this.jobs.clear();
	}

	private turn(
		shop: Shop,
		job: ImportJob,
		operations: ReadonlyArray<Record<string, unknown>>,
	): void {
		if (this.jobs.get(job.id) !== job) return;
		job.status = 'running';
		const end = Math.min(job.processed + PER_TURN, job.total);
		for (; job.processed < end; job.processed++) {
			apply(shop, job, operations[job.processed]);
		}
		if (job.processed < job.total) {
			setImmediate(() => this.turn(shop, job, operations));
			return;
		}
		job.status = 'completed';
		job.finished_at = iso(shop.clock.now());
	}
}

function apply(shop: Shop, job: ImportJob, operation: Record<string, unknown>): void {
	try {
		upsertProduct(shop, operation);
		job.succeeded++;
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		job.failed++;
		if (job.errors.length < MAX_ERRORS) {
			job.errors.push({ index: job.processed, code: error.code, message: error.message });
		}
	}
}
