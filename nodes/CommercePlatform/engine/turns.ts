/** A place in the queue of some targets. */
export interface Turn {
	/** Fulfilled when every earlier turn of these targets has ended; undefined where there is none to wait for. */
	readonly comes?: Promise<void>;
	/** Ends the turn. Later ones go on once the earlier ones have ended as well. */
	end(): void;
}

/** The latest turn of each target that has not ended. Shared by all executions of this process. */
const latest = new Map<string, Promise<void>>();

const FREE: Turn = { end: () => undefined };

/**
 * Takes the next turn of what a write changes, so that writes to one target go one after the other, in the
 * order in which their turns were taken. Turns of several targets are taken at once, so two can never wait
 * for each other.
 *
 * @param targets names of what is written to; none for a read
 */
export function takeTurn(targets: readonly string[]): Turn {
	if (targets.length === 0) return FREE;
	const earlier = targets.flatMap((target) => latest.get(target) ?? []);
	const comes = earlier.length === 0 ? undefined : Promise.all(earlier).then(() => undefined);
	let settle: () => void = () => undefined;
	const ended = new Promise<void>((resolve) => (settle = resolve));
	for (const target of targets) latest.set(target, ended);
	const forget = () => {
		for (const target of targets) if (latest.get(target) === ended) latest.delete(target);
		settle();
	};
	return { comes, end: () => (comes === undefined ? forget() : void comes.then(forget)) };
}
