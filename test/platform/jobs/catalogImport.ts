import { randomBytes } from 'node:crypto';
import { iso } from '../shop/clock';
import { Refusal } from '../shop/refusal';
import { upsertProduct } from '../shop/catalog';
import type { Settings } from '../settings';
import type { Shop } from '../shop/shop';

/** An import job. Its record is not shown in the API document. */
export interface ImportJob {
	id: string;
	type: 'catalog-import';
	status: 'queued' | 'running' | 'completed' | 'failed';
	total: number;
	processed: number;
	succeeded: number;
	failed: number;
	/** The first hundred. */
	errors: Array<{ index: number; code: string; message: string }>;
	created_at: string;
	finished_at: string | null;
}

type Operations = ReadonlyArray<Record<string, unknown>>;

const PER_TURN = 250;
const MAX_ERRORS = 100;

/** Runs imports in the background, some operations a turn of the event loop. */
export class CatalogImports {
	private readonly jobs = new Map<string, ImportJob>();

	/** @param settings asked anew for every turn. */
	constructor(private readonly settings: () => Settings) {}

	start(shop: Shop, operations: Operations): ImportJob {
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

	private turn(shop: Shop, job: ImportJob, operations: Operations): void {
		if (this.jobs.get(job.id) !== job) return;
		job.status = 'running';
		const { importsFailAfter } = this.settings();
		const last = Math.min(job.total, importsFailAfter ?? Infinity);
		const end = Math.min(job.processed + PER_TURN, last);
		for (; job.processed < end; job.processed++) {
			apply(shop, job, operations[job.processed]);
		}
		if (job.processed < last) return void setImmediate(() => this.turn(shop, job, operations));
		job.status = last < job.total ? 'failed' : 'completed';
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
