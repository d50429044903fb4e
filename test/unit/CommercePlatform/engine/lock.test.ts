import { take } from '../../../../nodes/CommercePlatform/run/lock';

const settledNow = async (promise: Promise<unknown> | undefined) => {
	let done = promise === undefined;
	void promise?.then(() => (done = true));
	for (let tick = 0; tick < 10; tick++) await Promise.resolve();
	return done;
};

let keys = 0;
const fresh = () => `key ${++keys}`;

it('is ready at once, without a promise, if nobody holds it', () => {
	expect(take([fresh()]).ready).toBeUndefined();
	expect(take([]).ready).toBeUndefined();
	take([fresh()]);
	expect(take([fresh()]).ready).toBeUndefined();
});

it.each([
	['in the order in which they came', [0, 1, 2]],
	['also where one in the middle gives up early', [1, 0, 2]],
])('is ready when all earlier holders have released it, %s', async (_how, order) => {
	const name = fresh();
	const all = [take([name]), take([name]), take([name])];
	const released = new Set<number>();
	for (const one of order) {
		all[one].release();
		released.add(one);
		for (const [at, { ready }] of all.entries()) {
			const before = [...Array(at).keys()];
			expect(await settledNow(ready)).toBe(before.every((each) => released.has(each)));
		}
	}
	expect(take([name]).ready).toBeUndefined();
});

it('waits for all of several keys', async () => {
	const [a, b] = [fresh(), fresh()];
	const [first, second] = [take([a]), take([b])];
	const both = take([a, b]);
	first.release();
	expect(await settledNow(both.ready)).toBe(false);
	second.release();
	expect(await settledNow(both.ready)).toBe(true);
});
