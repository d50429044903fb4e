/**
 * The order of the items that write to one target, over the tries of a run (Retry On Fail). An item that failed in one
 * try must not be sent in the next one behind a later item: that would undo what the later one has written.
 */
export class Turns {
	private readonly targetsOf = new Map<number, readonly string[]>();
	/** By target: its latest item whose write was done, or may have been, and all items of that request. */
	private readonly latestWriters = new Map<string, { itemIndex: number; together: Set<number> }>();

	/** An item is about to write to some targets. */
	begin(itemIndex: number, targets: readonly string[]): void {
		this.targetsOf.set(itemIndex, targets);
	}

	/** Some items were written by one request, or may have been. */
	written(itemIndexes: readonly number[]): void {
		const together = new Set(itemIndexes);
		for (const itemIndex of itemIndexes)
			for (const target of this.targetsOf.get(itemIndex) ?? [])
				if (itemIndex >= (this.latestWriters.get(target)?.itemIndex ?? 0))
					this.latestWriters.set(target, { itemIndex, together });
	}

	/** The later item that has written to one of an item's targets, or may have. */
	overtakenBy(itemIndex: number, targets: readonly string[]): number | undefined {
		for (const target of targets) {
			const writer = this.latestWriters.get(target);
			// What went out in one request is in turn, and goes out in one again.
			if (writer === undefined || writer.together.has(itemIndex)) continue;
			if (writer.itemIndex > itemIndex) return writer.itemIndex;
		}
		return undefined;
	}
}
