import { Turns } from '../../../../nodes/CommercePlatform/runner/turns';

const SKU_A = ['SKU a'];
const SKU_B = ['SKU b'];

/** Items 0 and 2 write A, item 1 writes B. */
function begun() {
	const turns = new Turns();
	for (const [itemIndex, targets] of [SKU_A, SKU_B, SKU_A].entries())
		turns.begin(itemIndex, targets);
	return turns;
}

it('an item is overtaken by a later one that has written to the same target', () => {
	const turns = begun();
	turns.written([2]);
	expect(turns.overtakenBy(0, SKU_A)).toBe(2);
	expect(turns.overtakenBy(1, SKU_B)).toBeUndefined();
});

it('an item is not overtaken by an earlier one, nor by itself', () => {
	const turns = begun();
	turns.written([0]);
	expect(turns.overtakenBy(2, SKU_A)).toBeUndefined();
	expect(turns.overtakenBy(0, SKU_A)).toBeUndefined();
});

it('items of one request do not overtake each other: they are sent together again', () => {
	const turns = begun();
	turns.written([0, 1, 2]);
	expect(turns.overtakenBy(0, SKU_A)).toBeUndefined();
});

it('an item that was written alone, and then in one request with others, does not overtake them', () => {
	const turns = begun();
	turns.written([2]);
	turns.written([0, 2]);
	expect(turns.overtakenBy(0, SKU_A)).toBeUndefined();
});

it('each target has its own latest item, even if one request has written to several', () => {
	const turns = begun();
	turns.begin(3, SKU_B);
	turns.written([0, 3]);
	turns.written([2]);
	expect(turns.overtakenBy(0, SKU_A)).toBe(2);
	expect(turns.overtakenBy(1, SKU_B)).toBe(3);
});

it('an earlier item that is written late does not count as the latest', () => {
	const turns = begun();
	turns.begin(3, SKU_A);
	turns.written([3]);
	turns.written([2]);
	expect(turns.overtakenBy(0, SKU_A)).toBe(3);
});
