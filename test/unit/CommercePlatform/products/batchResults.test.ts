import fc from 'fast-check';

import { readBatchResults } from '../../../../nodes/CommercePlatform/products/batchResults';
import { bulkItems } from '../../../support/bulkItems';

const SKUS = ['A', 'B', 'C'];
const product = (sku: string) => ({ id: `prod_${sku}`, title: sku, variants: [{ sku }] });
const SHARED = { id: 'prod_1', title: 'x', variants: SKUS.map((sku) => ({ sku })) };
const error = { code: 'INVALID_PARAMETER', message: 'title is needed' };

const read = (body: unknown, skus = SKUS, sent = {}) =>
	readBatchResults(bulkItems(skus.map((sku) => ({ sku, ...sent }))), body);
const kinds = (body: unknown, skus = SKUS, sent = {}) =>
	read(body, skus, sent).map(({ kind }) => kind);
const each = (more: object) => ({ data: SKUS.map((sku) => ({ sku, ...more })) });

const ALL_DONE = ['done', 'done', 'done'];
const NONE = ['notConfirmed', 'notConfirmed', 'notConfirmed'];

/** Fields that a shop has added itself. */
const OWN = { vendor: 'Ours', failed_drops: 0, message: 'Hi' };

describe('a whole success', () => {
	const shown = (more: (sku: string) => object) => ({ data: SKUS.map(more) });
	const ofAll = { data: [2, 1, 0].map((index) => ({ index, status: 200, data: SHARED })) };

	it.each<[string, unknown]>([
		['under data.results', { data: { results: SKUS.map((sku) => ({ sku, status: 'ok' })) } }],
		['by position', shown(() => ({ status: '201' }))],
		['as products of a state', shown((sku) => ({ ...product(sku), status: 'draft' }))],
		[
			'as products with fields of the shop’s own beside a status',
			shown((sku) => ({ status: 200, data: { ...product(sku), ...OWN } })),
		],
		[
			'as products whose own SKU is that of another variant',
			shown((sku) => ({ ...product(sku), sku: 'D', variants: [{ sku: 'D' }, { sku }] })),
		],
		['as one product of all by index', ofAll],
		['with an empty error', each({ status: 200, error: null, errors: [], data: null })],
		['with the ID of what was written', each({ success: true, id: 'prod_1', request_id: 'r' })],
		['among results of others', { data: [...SKUS, 'D'].map((sku) => ({ sku, status: 200 })) }],
		['beside counts and pages', { ...each({ status: 200 }), total: 3, failed: 0, pagination: {} }],
		['as lists by outcome', { created: [{ sku: 'A' }], updated: [{ sku: 'B' }, { sku: 'C' }] }],
		[
			'as an object by SKU',
			{ results: Object.fromEntries(SKUS.map((sku) => [sku, { status: 200 }])) },
		],
		['by the ID of the product alone', each({ id: 'p' })],
		['beside a message and a code', each({ status: 'created', message: 'Saved', code: 'OK' })],
		['in other capitals', shown((sku) => ({ sku: sku.toLowerCase(), status: 200 }))],
	])('is read %s', (_form, body) => expect(kinds(body)).toEqual(ALL_DONE));

	it('is read if the SKUs are numbers', () => {
		const data = [7, 8].map((sku) => ({ sku, status: 200 }));
		expect(kinds({ data }, ['8', '7'])).toEqual(['done', 'done']);
	});

	it('gives the product in the answer, and what was done to it if the answer says so', () => {
		const data = [
			{ sku: 'C', status: 'unchanged' },
			{ status: 201, data: product('B') },
			{ status: 200, product: product('A') },
		];
		expect(read({ data })).toEqual([
			{ kind: 'done', record: product('A'), result: 'updated' },
			{ kind: 'done', record: product('B'), result: 'created' },
			{ kind: 'done', record: undefined, result: 'unchanged' },
		]);
	});
});

describe('a partial success', () => {
	const failing = (name: object) => [
		{ sku: 'A', status: 200 },
		{ sku: 'B', ...name },
		{ sku: 'C', status: 200 },
	];
	it('shows the platform’s own message', () => {
		const said = { status: '422', error: { ...error, request_id: 'req_1' }, hint: 'unknown' };
		const body = { data: failing(said) };
		const details = { status: 422, code: error.code, platformMessage: error.message };
		expect(read(body)[1]).toEqual({ kind: 'failed', details: { ...details, requestId: 'req_1' } });
		expect(read({ data: failing({ errors: ['no title', error] }) })[1]).toMatchObject({
			details: { platformMessage: 'no title' },
		});
	});

	it('that lists only its failures leaves the other items unconfirmed, counted or not', () => {
		const results = [{ sku: 'B', status: 422 }];
		const unsure = ['notConfirmed', 'failed', 'notConfirmed'];
		expect(kinds({ data: { results, succeeded: 2, failed: 1 } })).toEqual(unsure);
		expect(kinds({ results })).toEqual(unsure);
	});
});

describe('a result that is missing, comes twice or contradicts itself', () => {
	const ok = (name: object) => ({ ...name, status: 200 });

	it.each<[string, unknown]>([
		['nothing', null],
		['fewer results without a name', { data: [ok({}), ok({})] }],
		['results of other SKUs', { data: ['X', 'Y', 'Z'].map((sku) => ok({ sku })) }],
		['two lists', { ...each({ status: 200 }), results: each({ status: 422 }).data }],
		['empty results', { data: SKUS.map(() => ({})) }],
		['one product for all', { data: [SHARED] }],
		['an index that is past the end', { data: [3, 4, 5].map((index) => ok({ index })) }],
	])('is not confirmed: %s %j', (_what, body) => expect(kinds(body)).toEqual(NONE));

	const PRODUCT = { id: 'p', title: 'x' };

	it.each<object>([
		{ success: true, status: 422 },
		ok({ error }),
		ok({ product: { ...PRODUCT, errors: ['Not saved'] } }),
		{ ...PRODUCT, id: null },
		{ ...PRODUCT, message: 'Handle is taken' },
		{ ...PRODUCT, status: 'queued' },
		{ id: 'p', status: 'quarantined' },
		{ status: 'quarantined', product: PRODUCT },
	])('is not confirmed by a result with %j', (entry) => expect(kinds(each(entry))).toEqual(NONE));

	it.each<object>([
		{ success: false, id: 'p' },
		{ data: { ...PRODUCT, skipped: true } },
		{ ...PRODUCT, status: 'rejected' },
		{ ...PRODUCT, success: 0 },
		{ id: 'p', userErrors: [error] },
	])('is failed by a result with %j', (entry) =>
		expect(kinds(each(entry))).toEqual(['failed', 'failed', 'failed']),
	);

	it.each<object>([
		...[{ success: false }, { error: 'rolled back' }, { errors: [error] }, { status: 'failed' }],
		...[{ dry_run: true }, { committed: false }],
	])('is not confirmed where beside its list the answer has %j', (beside) => {
		expect(kinds({ ...each({ status: 200 }), ...beside })).toEqual(NONE);
		expect(kinds({ data: { results: each({ status: 200 }).data, ...beside } })).toEqual(NONE);
	});

	it('is not confirmed without its own verdict if a count has more failures than the entries', () => {
		const data = [...SKUS.slice(1).map(product), { sku: 'A', status: 200 }];
		const expected = ['done', 'notConfirmed', 'notConfirmed'];
		expect(kinds({ data, summary: { failed: 1 } })).toEqual(expected);
		expect(kinds({ data, summary: { failed: 0 } })).toEqual(ALL_DONE);
	});

	it('says what the doubt is about', () => {
		const data = [
			{ sku: 'C', status: 200 },
			{ sku: 'A', status: 200, errors: ['no title'] },
		];
		expect(read({ data })).toEqual([
			{ kind: 'notConfirmed', reason: 'its result has “status”: 200 and “errors”: ["no title"]' },
			{ kind: 'notConfirmed', reason: 'the answer has no result for it' },
			{ kind: 'done', record: undefined, result: 'updated' },
		]);
	});

	it('never takes the record of something else for the product', () => {
		const category = { id: 'cat_1', title: 'Lamps', handle: 'lamps' };
		expect(read(each({ status: 'created', category }))[0]).toMatchObject({ record: undefined });
	});

	const both = SKUS.map((sku) => ok({ sku }));
	const swapped = ['B', 'A', 'C'].map((sku, index) => ok({ index, sku }));
	const LAST = ['notConfirmed', 'notConfirmed', 'done'];

	it.each<[string, object[], string[]]>([
		['index and SKU contradict each other', swapped, LAST],
		['an operation has two results', [...both, ok({ sku: 'A' })], ['notConfirmed', 'done', 'done']],
		['an index may count from 0 or from 1', [{ index: 1, error }], NONE],
		['by position, an entry names another', [ok({ sku: 'C' }), ok({}), { status: 500 }], LAST],
		['by position, an entry names a foreign one', [ok({ sku: 'X' }), ok({}), ok({})], NONE],
	])('is not confirmed where %s: %j', (_what, data, expected) =>
		expect(kinds({ data })).toEqual(expected),
	);
});

type Outcome = 'done' | 'failed' | 'notConfirmed';

/** How a result names its operation; only with a SKU may other results be missing. */
const NAMES: Record<string, (at: number) => object> = {
	sku: (at) => ({ sku: `S-${at}` }),
	index: (index) => ({ index }),
	indexFromOne: (at) => ({ index: String(at + 1) }),
	both: (index) => ({ index, sku: `S-${index}` }),
};

/** How a result says its outcome. */
const VERDICTS: Array<(isDone: boolean, at: number) => object> = [
	(isDone) => ({ status: isDone ? 200 : 422 }),
	(isDone) => ({ status: isDone ? 'updated' : 'failed' }),
	(success) => ({ success }),
	(isDone, at) => (isDone ? { data: product(`S-${at}`) } : { error }),
];

describe('whatever the form', () => {
	const form = fc.record({
		container: fc.constantFrom('data', 'results', undefined),
		name: fc.constantFrom(...Object.keys(NAMES)),
		verdict: fc.constantFrom(...VERDICTS),
		order: fc.func(fc.nat()),
	});
	const truth = fc.array(fc.constantFrom<Outcome>('done', 'failed', 'notConfirmed'), {
		minLength: 1,
		maxLength: 20,
	});

	it('calls an item failed or done only if the answer says so', () => {
		fc.assert(
			fc.property(truth, form, (drawn, { container, name, verdict, order }) => {
				const outcomes = drawn.map((one) =>
					name !== 'sku' && one === 'notConfirmed' ? 'failed' : one,
				);
				const results = outcomes
					.map((outcome, at) => ({ ...NAMES[name](at), ...verdict(outcome === 'done', at) }))
					.filter((_, at) => outcomes[at] !== 'notConfirmed')
					.map((entry, at) => ({ entry, key: order(at) }))
					.sort((a, b) => a.key - b.key)
					.map(({ entry }) => entry);
				const body = container === undefined ? results : { [container]: results };
				const skus = outcomes.map((_, at) => `S-${at}`);
				expect(kinds(body, skus)).toEqual(outcomes);
			}),
		);
	});

	it('reads any JSON without an error', () => {
		fc.assert(fc.property(fc.jsonValue(), (body) => read(body).length === 3));
	});

	it('does not doubt a verdict because of other fields', () => {
		const name = fc
			.stringMatching(/^x_[a-z_]{0,20}$/)
			.filter((one) => !/_(sku|err|fail|inv|rej)/.test(one));
		const verdict = fc.constantFrom({ status: 201 }, { status: 'created' }, { success: true });
		fc.assert(
			fc.property(verdict, fc.dictionary(name, fc.jsonValue()), (told, beside) => {
				expect(kinds([{ sku: 'A', ...told, ...beside }], ['A'])).toEqual(['done']);
			}),
		);
	});

	it('calls nothing done by an unknown status word or number', () => {
		const DONE =
			/^(2\d\d|304)$|created|updated|ok|success|done|complete|added|saved|stored|written/i;
		const STATE = /^(draft|published)$/i;
		const said = fc.oneof(fc.integer({ min: 305 }), fc.stringMatching(/^[a-z]{3,12}$/));
		const status = said.filter((value) => !DONE.test(String(value)) && !STATE.test(String(value)));
		fc.assert(
			fc.property(status, (value) => {
				expect(kinds([{ sku: 'A', id: 'p', status: value }], ['A'])).not.toContain('done');
			}),
		);
	});
});
