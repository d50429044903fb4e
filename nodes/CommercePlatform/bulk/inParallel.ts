/**
 * Does work on entries, some at a time, started in their order. Nothing further is started once `stopped` says
 * so or work has rejected.
 *
 * @throws what the first work to reject was rejected with, after the others under way have ended
 */
export async function inParallel<Entry>(
	entries: readonly Entry[],
	atOnce: number,
	work: (entry: Entry) => Promise<void>,
	stopped: () => boolean = () => false,
): Promise<void> {
	const failures: unknown[] = [];
	let next = 0;
	const worker = async () => {
		while (next < entries.length && failures.length === 0 && !stopped()) {
			await work(entries[next++]).catch((error: unknown) => failures.push(error));
		}
	};
	await Promise.all(Array.from({ length: Math.min(atOnce, entries.length) }, worker));
	if (failures.length > 0) throw failures[0];
}
