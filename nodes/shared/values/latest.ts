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
