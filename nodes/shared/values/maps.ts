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

/** The most names that are remembered. All records of a shop have the same few. */
const MOST_NAMES = 2_000;

/** The same function of a name, which works out each name once. */
export function oncePerName<Value>(read: (name: string) => Value): (name: string) => Value {
	const values = new Map<string, Value>();
	return (name) => {
		const known = values.get(name);
		if (known !== undefined || values.has(name)) return known as Value;
		const value = read(name);
		if (values.size < MOST_NAMES) values.set(name, value);
		return value;
	};
}
