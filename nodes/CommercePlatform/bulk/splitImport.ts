import { ENVELOPE_BYTES, skuKey, type ProductWrite } from './productWrite';

/** An import is meant for more mutations than this (API document, "Products"). */
export const MIN_IMPORT_OPERATIONS = 1_000;

/** The document names no largest job; these keep a body within what servers usually take. */
export const MAX_IMPORT_OPERATIONS = 20_000;
/** Bytes. */
export const MAX_IMPORT_BYTES = 8_000_000;

export interface ImportLimits {
	maxOperations: number;
	/** Of the whole body. An operation that is larger alone is sent alone. */
	maxBytes: number;
}

/**
 * Splits operations into import jobs: as few as possible, since a weekly meter counts them (API document,
 * "Limits", 5), and of about the same size, since a small rest may be refused as too few. Operations of one
 * SKU go into one job in their order, because jobs may run beside each other; for their sake a job may be
 * larger than `maxOperations` or `maxBytes`.
 */
export function splitImport(
	operations: readonly ProductWrite[],
	{ maxOperations, maxBytes }: ImportLimits,
): ProductWrite[][] {
	const total = operations.reduce((sum, { bytes }) => sum + bytes + 1, 0);
	const count = Math.max(
		1,
		Math.ceil(operations.length / maxOperations),
		Math.ceil(total / Math.max(1, maxBytes - ENVELOPE_BYTES)),
	);
	const share = Math.ceil(operations.length / count);
	const jobs: Array<{ operations: ProductWrite[]; bytes: number }> = [];
	const jobOf = new Map<string, { operations: ProductWrite[]; bytes: number }>();
	for (const operation of operations) {
		const sku = skuKey(operation.sku);
		let job = jobOf.get(sku);
		if (job === undefined) {
			job = jobs[jobs.length - 1];
			const isFull =
				job === undefined ||
				job.operations.length >= share ||
				job.bytes + operation.bytes + 1 > maxBytes;
			if (isFull) jobs.push((job = { operations: [], bytes: ENVELOPE_BYTES }));
			jobOf.set(sku, job);
		}
		job.operations.push(operation);
		job.bytes += operation.bytes + 1;
	}
	return jobs.map((job) => job.operations);
}

/** How many operations have a SKU that an earlier one has. */
export function repeatedSkus(operations: readonly ProductWrite[]): number {
	return operations.length - new Set(operations.map(({ sku }) => skuKey(sku))).size;
}
