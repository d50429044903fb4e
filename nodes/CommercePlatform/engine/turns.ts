import { takeTurn } from './schedule';

/** The turns that an item takes while it is under way, of records which it has looked up. */
export interface Turns {
	/** Waits until every earlier turn of the target has ended. */
	take(target: string): Promise<void>;
}

/** Does work whose turns end with it. */
export async function withTurns(work: (turns: Turns) => Promise<void>): Promise<void> {
	const taken: Array<() => void> = [];
	const take = async (target: string) => {
		const { comes, end } = takeTurn([target]);
		taken.push(end);
		await comes;
	};
	try {
		await work({ take });
	} finally {
		for (const end of taken) end();
	}
}
