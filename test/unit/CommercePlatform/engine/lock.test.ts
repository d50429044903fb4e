import { takeLocks } from '../../../../nodes/CommercePlatform/runner/schedule';

const settledNow = async (promise: Promise<unknown> | undefined) => {
	let done = promise === undefined;
	void promise?.then(() => (done = true));
	for (let tick = 0; tick < 10; tick++) await Promise.resolve();
	return done;
};

let keys = 0;
const fresh = () => `key ${++keys}`;

it('is ready at once, without a promise, if nobody holds it', () => {
	expect(takeLocks([fresh()]).ready).toBeUndefined();
	expect(takeLocks([]).ready).toBeUndefined();
	takeLocks([fresh()]);
	expect(takeLocks([fresh()]).ready).toBeUndefined();
});

it.each([
	['in the order in which they came', [0, 1, 2]],
	['also where one in the middle gives up early', [1, 0, 2]],
])('is ready when all earlier holders have released it, %s', async (_how, order) => {
	const name = fresh();
	const all = [takeLocks([name]), takeLocks([name]), takeLocks([name])];
	const released = new Set<number>();
	for (const one of order) {
		all[one].release();
		released.add(one);
		for (const [at, { ready }] of all.entries()) {
			const before = [...Array(at).keys()];
			expect(await settledNow(ready)).toBe(before.every((each) => released.has(each)));
		}
	}
	expect(takeLocks([name]).ready).toBeUndefined();
});

it('waits for all of several keys', async () => {
	const [a, b] = [fresh(), fresh()];
	const [first, second] = [takeLocks([a]), takeLocks([b])];
	const both = takeLocks([a, b]);
	first.release();
	expect(await settledNow(both.ready)).toBe(false);
	second.release();
	expect(await settledNow(both.ready)).toBe(true);
});
