import { take } from '../../../../nodes/CommercePlatform/run/lock';

const settledNow = async (promise: Promise<unknown> | undefined) => {
	let done = promise === undefined;
	void promise?.then(() => (done = true));
	for (let tick = 0; tick < 10; tick++) await Promise.resolve();
	return done;
};

let keys = 0;
const fresh = () => `key ${++keys}`;

it('is ready at once, without a promise, where nobody is before', () => {
	expect(take([fresh()]).ready).toBeUndefined();
	expect(take([]).ready).toBeUndefined();
});

it('is ready when the one before has released, in the order in which they came', async () => {
	const name = fresh();
	const [first, second, third] = [take([name]), take([name]), take([name])];
	expect(await settledNow(second.ready)).toBe(false);
	first.release();
	expect(await settledNow(second.ready)).toBe(true);
	expect(await settledNow(third.ready)).toBe(false);
	second.release();
	expect(await settledNow(third.ready)).toBe(true);
	third.release();
	expect(await settledNow(take([name]).ready)).toBe(true);
});

it('leaves other keys alone', () => {
	take([fresh()]);
	expect(take([fresh()]).ready).toBeUndefined();
});

it('keeps the order where one in the middle gives up early', async () => {
	const name = fresh();
	const [first, second, third] = [take([name]), take([name]), take([name])];
	second.release();
	expect(await settledNow(third.ready)).toBe(false);
	first.release();
	expect(await settledNow(third.ready)).toBe(true);
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
