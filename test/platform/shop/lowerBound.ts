/** The first of 0..length-1 for which `reached` holds (it holds for all after it), or `length`. */
export function lowerBound(length: number, reached: (at: number) => boolean): number {
	let [low, high] = [0, length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (reached(middle)) high = middle;
		else low = middle + 1;
	}
	return low;
}
