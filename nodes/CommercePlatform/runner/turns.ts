/**
 * Keeps the order of items that write to one target, over the tries of a run (Retry On Fail). An item that failed in
 * one try must not be sent in the next one after a later item was written: that would undo the later item.
 */
export class Turns {
	private readonly targetsOf = new Map<number, readonly string[]>();
	/** By target: the latest item that was written, or may have been, and the items of the same request. */
	private readonly latestWriters = new Map<string, { itemIndex: number; together: Set<number> }>();

	/** Notes what an item is about to write to. */
	begin(itemIndex: number, targets: readonly string[]): void {
		this.targetsOf.set(itemIndex, targets);
	}

	/** Notes that one request wrote some items, or may have. */
	written(itemIndexes: readonly number[]): void {
		const together = new Set(itemIndexes);
		for (const itemIndex of itemIndexes)
			for (const target of this.targetsOf.get(itemIndex) ?? [])
				if (itemIndex >= (this.latestWriters.get(target)?.itemIndex ?? 0))
					this.latestWriters.set(target, { itemIndex, together });
	}

	/** Finds a later item that has written to one of an item's targets, or may have. */
	overtakenBy(itemIndex: number, targets: readonly string[]): number | undefined {
		for (const target of targets) {
			const writer = this.latestWriters.get(target);
			// Items of one request were in order, and go out together again.
			if (writer === undefined || writer.together.has(itemIndex)) continue;
			if (writer.itemIndex > itemIndex) return writer.itemIndex;
		}
		return undefined;
	}
}
