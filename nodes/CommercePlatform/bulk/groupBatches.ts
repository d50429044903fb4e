import { ENVELOPE_BYTES, skuKey, type ProductWrite } from './productWrite';

/** Operations a batch holds on every plan (API document, "Other limits"; Enterprise may have more). */
export const MAX_BATCH_OPERATIONS = 100;

/** The document names no limit for a body; many servers refuse more than 1 MiB. Bytes. */
export const MAX_BATCH_BYTES = 1_000_000;

/** Batches that wait for further operations at the same time, so that memory stays bounded. */
const MAX_OPEN_BATCHES = 64;

export interface BatchLimits {
	maxOperations: number;
	/** Of the whole body. An operation that is larger alone is sent alone. */
	maxBytes: number;
}

/** Operations for one request. */
export interface Batch {
	/** 0 for the first. */
	number: number;
	operations: ProductWrite[];
	/** Length of the body. */
	bytes: number;
	/** Numbers of the batches that must be answered first: they hold earlier operations of the same SKUs. */
	after: Set<number>;
}

/**
 * Groups operations into batches, one after the other. Operations of one SKU never share a batch, and an
 * earlier one is always in an earlier batch. Within a batch the order is that of the input. An operation goes
 * into the first batch that may take it, so that a repeated SKU costs as few requests as possible.
 */
export class BatchGrouping {
	private readonly open: Batch[] = [];
	private readonly lastBatchOf = new Map<string, number>();
	private opened = 0;

	constructor(private readonly limits: BatchLimits) {}

	/** Groups operations as far as batches are asked for, in the order of their numbers. */
	*group(operations: Iterable<ProductWrite>): Generator<Batch, undefined> {
		for (const operation of operations) yield* this.add(operation);
		yield* this.open.splice(0);
		return undefined;
	}

	/** A batch is answered, so that later ones of its SKUs need not wait for it, nor know of it. */
	answered({ number, operations }: Batch): void {
		for (const { sku } of operations) {
			const key = skuKey(sku);
			if (this.lastBatchOf.get(key) === number) this.lastBatchOf.delete(key);
		}
	}

	/** @returns the batches that are complete now */
	private add(operation: ProductWrite): Batch[] {
		const sku = skuKey(operation.sku);
		const last = this.lastBatchOf.get(sku);
		const batch = this.placeFor(operation, last === undefined ? 0 : last + 1);
		if (last !== undefined) batch.after.add(last);
		batch.bytes += operation.bytes + (batch.operations.length === 0 ? 0 : 1);
		batch.operations.push(operation);
		this.lastBatchOf.set(sku, batch.number);
		return this.takeComplete();
	}

	private placeFor(operation: ProductWrite, firstNumber: number): Batch {
		const first = this.open.length === 0 ? this.opened : this.open[0].number;
		for (let at = Math.max(0, firstNumber - first); at < this.open.length; at++) {
			if (this.fits(operation, this.open[at])) return this.open[at];
		}
		const batch: Batch = {
			number: this.opened++,
			operations: [],
			bytes: ENVELOPE_BYTES,
			after: new Set(),
		};
		this.open.push(batch);
		return batch;
	}

	private fits(operation: ProductWrite, batch: Batch): boolean {
		const { maxOperations, maxBytes } = this.limits;
		return batch.operations.length < maxOperations && batch.bytes + 1 + operation.bytes <= maxBytes;
	}

	private takeComplete(): Batch[] {
		let complete = 0;
		while (
			complete < this.open.length &&
			(this.isFull(this.open[complete]) || this.open.length - complete > MAX_OPEN_BATCHES)
		)
			complete++;
		return this.open.splice(0, complete);
	}

	private isFull({ operations, bytes }: Batch): boolean {
		return operations.length >= this.limits.maxOperations || bytes >= this.limits.maxBytes;
	}
}

/** Groups all operations at once. */
export function groupBatches(operations: Iterable<ProductWrite>, limits: BatchLimits): Batch[] {
	return [...new BatchGrouping(limits).group(operations)];
}
