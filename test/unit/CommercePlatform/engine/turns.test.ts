import { takeTurn } from '../../../../nodes/CommercePlatform/engine/schedule';

const settledNow = async (promise: Promise<void> | undefined) => {
	let done = promise === undefined;
	void promise?.then(() => (done = true));
	for (let tick = 0; tick < 10; tick++) await Promise.resolve();
	return done;
};

let target = 0;
const fresh = () => `target ${++target}`;

it('comes at once where nobody is before', () => {
	expect(takeTurn([fresh()]).comes).toBeUndefined();
	expect(takeTurn([]).comes).toBeUndefined();
});

it('comes when the one before has ended, in the order in which turns were taken', async () => {
	const name = fresh();
	const [first, second, third] = [takeTurn([name]), takeTurn([name]), takeTurn([name])];
	expect(await settledNow(second.comes)).toBe(false);
	first.end();
	expect(await settledNow(second.comes)).toBe(true);
	expect(await settledNow(third.comes)).toBe(false);
	second.end();
	expect(await settledNow(third.comes)).toBe(true);
	third.end();
	expect(await settledNow(takeTurn([name]).comes)).toBe(true);
});

it('leaves other targets alone', () => {
	takeTurn([fresh()]);
	expect(takeTurn([fresh()]).comes).toBeUndefined();
});

it('keeps the order where one in the middle gives up early', async () => {
	const name = fresh();
	const [first, second, third] = [takeTurn([name]), takeTurn([name]), takeTurn([name])];
	second.end();
	expect(await settledNow(third.comes)).toBe(false);
	first.end();
	expect(await settledNow(third.comes)).toBe(true);
});

it('waits for all of several targets', async () => {
	const [a, b] = [fresh(), fresh()];
	const [first, second] = [takeTurn([a]), takeTurn([b])];
	const both = takeTurn([a, b]);
	first.end();
	expect(await settledNow(both.comes)).toBe(false);
	second.end();
	expect(await settledNow(both.comes)).toBe(true);
});
