/**
 * Does work on entries, some at a time, each taken when its work begins, in their order. Nothing further is begun
 * once `stopped` says so or work has rejected.
 *
 * @throws what the first work to reject was rejected with, after the others under way have ended
 */
export async function inParallel<Entry>(
	entries: Iterable<Entry>,
	atOnce: number,
	work: (entry: Entry) => Promise<void>,
	stopped: () => boolean = () => false,
): Promise<void> {
	const failures: unknown[] = [];
	const iterator = entries[Symbol.iterator]();
	const worker = async () => {
		while (failures.length === 0 && !stopped()) {
			const next = iterator.next();
			if (next.done === true) return;
			await work(next.value).catch((error: unknown) => failures.push(error));
		}
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
	if (failures.length > 0) throw failures[0];
}
