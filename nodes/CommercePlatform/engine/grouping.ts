/** Puts items into groups whose work is done at once. Every item comes out once, in one group. */
export interface Grouping<Item> {
	/** @returns the groups that are complete with this item */
	add(item: Item): Item[][];
	/** @returns the groups that are left, when there is no further item */
	end(): Item[][];
}

/**
 * Groups of items that follow each other.
 *
 * @param size items a group takes at most
 */
export function groupBySize<Item>(size: number): Grouping<Item> {
	let open: Item[] = [];
	const close = () => {
		const group = open;
		open = [];
		return group.length === 0 ? [] : [group];
	};
	return {
		add: (item) => (open.push(item) < size ? [] : close()),
		end: close,
	};
}
