/**
 * Puts an entry last in a map that holds a bounded number of entries. The one that was put longest ago is forgotten
 * first.
 *
 * @returns the value
 */
export function keepLatest<Key, Value>(
	map: Map<Key, Value>,
	key: Key,
	value: Value,
	most: number,
): Value {
	map.delete(key);
	map.set(key, value);
	const [oldest] = map.keys();
	if (map.size > most) map.delete(oldest);
	return value;
}

/** Adds an entry to the list of a key. Most lists get one: a list that grows from none takes five times the memory. */
export function addTo<Key, Entry>(lists: Map<Key, Entry[]>, key: Key, entry: Entry): void {
	const entries = lists.get(key);
	if (entries === undefined) lists.set(key, [entry]);
	else entries.push(entry);
}
