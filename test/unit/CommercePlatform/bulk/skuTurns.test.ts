import { SkuTurns } from '../../../../nodes/CommercePlatform/bulk/skuTurns';

let shops = 0;
let host: string;

beforeEach(() => {
	host = `shop-${++shops}.example`;
});

/** A run that has taken the turns of some SKUs. */
const runOf = (skus: string[], signal?: AbortSignal, shop = host) => {
	const turns = new SkuTurns(shop, signal);
	skus.forEach((sku) => turns.take(sku));
	return turns;
};

const came = async (turns: SkuTurns, skus?: string[]) => {
	let done = false;
	void turns.come(skus).then(() => (done = true));
	for (let tick = 0; tick < 20; tick++) await Promise.resolve();
	return done;
};

it('has its turns at once where no other run has them', async () => {
	runOf(['A'], undefined, 'another.example');
	runOf(['B']);
	expect(await came(runOf(['A', 'C']))).toBe(true);
});

it('waits for the runs before it, in their order, capitals or not', async () => {
	const [first, second, third] = [runOf(['A']), runOf(['a ']), runOf(['A'])];
	expect(await came(second)).toBe(false);
	first.end('a');
	expect([await came(second), await came(third)]).toEqual([true, false]);
	second.endAll();
	expect(await came(third)).toBe(true);
});

it('lets all go on that wait for one SKU of a run', async () => {
	const [first, second] = [runOf(['A', 'B']), runOf(['A', 'B'])];
	const waiting = Promise.all([second.come(['A']), second.come(['A'])]);
	first.end('A');
	expect(await waiting).toHaveLength(2);
	expect(await came(second)).toBe(false);
	first.endAll();
	expect(await came(second)).toBe(true);
});

it('keeps a SKU that the run names several times to its end', async () => {
	const [first, second] = [runOf(['A', 'B', 'a']), runOf(['A'])];
	first.end('A');
	expect(await came(second)).toBe(false);
	first.endAll();
	expect(await came(second)).toBe(true);
});

it('keeps the order where a run that waits gives up', async () => {
	const [first, second, third] = [runOf(['A']), runOf(['A']), runOf(['A'])];
	second.endAll();
	expect(await came(third)).toBe(false);
	first.endAll();
	expect(await came(third)).toBe(true);
});

it('ends a turn once', async () => {
	const [first, second, third] = [runOf(['A']), runOf(['A']), runOf(['A'])];
	first.end('A');
	first.end('A');
	first.endAll();
	expect([await came(second), await came(third)]).toEqual([true, false]);
});

it('waits no longer than its execution runs', async () => {
	const execution = new AbortController();
	const first = runOf(['A', 'B']);
	const second = runOf(['A', 'B'], execution.signal);
	const waiting = second.come();
	execution.abort();
	await waiting;
	expect(await came(second)).toBe(true);
	second.endAll();
	first.endAll();
	expect(await came(runOf(['A', 'B']))).toBe(true);
});
