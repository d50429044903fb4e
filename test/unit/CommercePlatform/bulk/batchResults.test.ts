import fc from 'fast-check';

import { readBatchResults } from '../../../../nodes/CommercePlatform/bulk/batchResults';
import { heldItems } from '../../../support/heldItems';

const SKUS = ['A', 'B', 'C'];
const product = (sku: string) => ({ id: `prod_${sku}`, title: sku, variants: [{ sku }] });
const error = { code: 'INVALID_PARAMETER', message: 'title is needed' };

const read = (body: unknown, skus = SKUS, sent = {}) =>
	readBatchResults(heldItems(skus.map((sku) => ({ sku, ...sent }))), body);
const kinds = (body: unknown, skus = SKUS, sent = {}) =>
	read(body, skus, sent).map(({ kind }) => kind);
const each = (more: object) => ({ data: SKUS.map((sku) => ({ sku, ...more })) });

const ALL_DONE = ['done', 'done', 'done'];
const SECOND_FAILED = ['done', 'failed', 'done'];
const NONE = ['notConfirmed', 'notConfirmed', 'notConfirmed'];

describe('a whole success', () => {
	it.each<[string, unknown]>([
		['under data.results', { data: { results: SKUS.map((sku) => ({ sku, status: 'ok' })) } }],
		['as a bare list', SKUS.map((sku) => ({ sku, status: '201' }))],
		['with an index as text', { data: ['0', '1', '2'].map((index) => ({ index, success: true })) }],
		['by position', { data: SKUS.map(() => ({ status: 'updated' })) }],
		['as bare products', { data: SKUS.map(product) }],
		['as bare products in another order', { data: [...SKUS].reverse().map(product) }],
		['as products of a state', { data: SKUS.map((sku) => ({ ...product(sku), status: 'draft' })) }],
		[
			'as products beside a status',
			{ data: SKUS.map((sku) => ({ status: 200, data: product(sku) })) },
		],
		['with an empty error', each({ status: 200, error: null, errors: [], data: null })],
		['with the ID of what was written', each({ success: true, id: 'prod_1', request_id: 'r' })],
		['among results of others', { data: [...SKUS, 'D'].map((sku) => ({ sku, status: 200 })) }],
		['in other capitals', { data: SKUS.map((sku) => ({ sku: sku.toLowerCase(), status: 200 })) }],
	])('is read %s', (_form, body) => {
		expect(kinds(body)).toEqual(ALL_DONE);
	});

	it('is read where the SKUs are numbers', () => {
		const data = [7, 8].map((sku) => ({ sku, status: 200 }));
		expect(kinds({ data }, ['8', '7'])).toEqual(['done', 'done']);
	});

	it('gives the product that the answer shows, and what was done to it where that is told', () => {
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

	it('is read where a product’s own SKU is that of another variant', () => {
		const variants = (sku: string) => [{ sku: 'MAIN' }, { sku }];
		const data = SKUS.map((sku) => ({ id: sku, sku: 'MAIN', variants: variants(sku) }));
		expect(kinds({ data })).toEqual(ALL_DONE);
	});

	it('of variants of one product is read by position or index', () => {
		const shared = { id: 'prod_1', title: 'x', variants: SKUS.map((sku) => ({ sku })) };
		expect(kinds({ data: SKUS.map(() => shared) })).toEqual(ALL_DONE);
		const byIndex = [2, 1, 0].map((index) => ({ index, status: 200, data: shared }));
		expect(kinds({ data: byIndex })).toEqual(ALL_DONE);
		expect(kinds({ data: [shared] })).toEqual(NONE);
	});
});

describe('a partial success', () => {
	const failing = (name: object) => [
		{ sku: 'A', status: 200 },
		{ sku: 'B', ...name },
		{ sku: 'C', status: 200 },
	];
	it.each([
		['a status as text', { status: '422' }],
		['an error text', { error: 'title is needed' }],
		['a list of errors', { errors: [error] }],
		['a status and an error', { status: 400, error, hint: 'unknown' }],
	])('is told by %s', (_form, entry) => {
		expect(kinds({ data: failing(entry) })).toEqual(SECOND_FAILED);
	});

	it('gives the platform’s own words', () => {
		const body = { data: failing({ status: 422, error: { ...error, request_id: 'req_1' } }) };
		const details = { status: 422, code: error.code, platformMessage: error.message };
		expect(read(body)[1]).toEqual({ kind: 'failed', details: { ...details, requestId: 'req_1' } });
		expect(read({ data: failing({ errors: ['no title'] }) })[1]).toMatchObject({
			details: { platformMessage: 'no title' },
		});
	});

	it('that is told by its failures alone leaves the others not confirmed, counted or not', () => {
		const results = [{ sku: 'B', status: 422 }];
		const unsure = ['notConfirmed', 'failed', 'notConfirmed'];
		expect(kinds({ data: { results, succeeded: 2, failed: 1 } })).toEqual(unsure);
		expect(kinds({ results })).toEqual(unsure);
	});
});

describe('what is missing, not known or has more than one reading', () => {
	it.each<[string, unknown]>([
		['nothing', undefined],
		['an empty object', {}],
		['an empty list', { data: [] }],
		['a text', 'ok'],
		['null', null],
		['a list under another name', { items: SKUS.map((sku) => ({ sku, status: 200 })) }],
		['results that are keyed by SKU', { results: { A: { success: true }, B: { success: true } } }],
		['lists of what was done', { created: [{ sku: 'A' }], updated: [{ sku: 'B' }, { sku: 'C' }] }],
		['fewer results without a name', { data: [{ status: 200 }, { status: 200 }] }],
		['more results without a name', { data: Array.from({ length: 4 }, () => ({ status: 200 })) }],
		['results of other SKUs', { data: ['X', 'Y', 'Z'].map((sku) => ({ sku, status: 200 })) }],
		['empty results', { data: SKUS.map(() => ({})) }],
		['bare words', { data: SKUS.map(() => 'updated') }],
		['bare IDs', { data: ['1', '2', '3'] }],
		[
			'products of other SKUs',
			{ data: SKUS.map((sku) => ({ sku, status: 200, data: product('X') })) },
		],
		['an index that is past the end', { data: [3, 4, 5].map((index) => ({ index, status: 200 })) }],
	])('is not confirmed: %s', (_what, body) => {
		expect(kinds(body)).toEqual(NONE);
	});

	const PRODUCT = { id: 'p', title: 'x' };

	it.each<object>([
		{},
		{ id: 'prod_1' },
		...['queued', 'pondered', 'skipped', 202, 207, 302].map((status) => ({ status })),
		{ success: 'true' },
		{ success: true, id: '' },
		{ status: 422, success: true },
		...[
			{ error },
			{ success: null },
			{ success: 'no' },
			{ failed: true },
			{ id: null },
			{ applied: false },
			{ data: { id: null, title: 'x' } },
			{ data: { title: 'x' } },
			{ data: 'rejected' },
			{ product: { ...PRODUCT, errors: ['title'] } },
			{ ...PRODUCT, skipped: true },
		].map((more) => ({ status: 200, ...more })),
		...[
			{ id: null },
			{ status: 'rejected' },
			{ status: 'failed' },
			{ message: 'not saved' },
			{ field_errors: { title: 'too long' } },
			{ success: 0 },
			{ skipped: true },
			{ vendor: 'Other' },
			{ applied: false },
		].map((more) => ({ ...PRODUCT, ...more })),
		{ data: { ...PRODUCT, skipped: true } },
		{ product: { ...PRODUCT, dry_run: true } },
	])('is not confirmed by a result with %j', (entry) => {
		expect(kinds(each(entry), SKUS, { vendor: 'Ours' })).toEqual(NONE);
	});

	it('is confirmed by a product alone that has further fields as they were sent', () => {
		const entry = { id: 'p', title: 'x', vendor: { name: 'Ours', id: 7 } };
		expect(kinds(each(entry), SKUS, { vendor: { name: 'Ours' } })).toEqual(ALL_DONE);
		expect(kinds(each({ data: entry }), SKUS, { vendor: { name: 'Ours' } })).toEqual(ALL_DONE);
	});

	it('says what the doubt is', () => {
		const data = [
			{ sku: 'C', status: 200 },
			{ sku: 'A', status: 200, message: 'no title' },
		];
		expect(read({ data })).toEqual([
			{ kind: 'notConfirmed', reason: 'its result has “message”: "no title"' },
			{ kind: 'notConfirmed', reason: 'the answer has no result for it' },
			{ kind: 'done', record: undefined, result: 'updated' },
		]);
	});

	const ok = (name: object) => ({ ...name, status: 200 });

	it.each<[string, object[], string[]]>([
		[
			'index and SKU contradict each other',
			[ok({ index: 0, sku: 'B' }), ok({ index: 1, sku: 'A' }), ok({ index: 2, sku: 'C' })],
			['notConfirmed', 'notConfirmed', 'done'],
		],
		...[200, 500].map((status): [string, object[], string[]] => [
			'an operation has two results',
			[...SKUS.map((sku) => ok({ sku })), { sku: 'A', status }],
			['notConfirmed', 'done', 'done'],
		]),
		['an index may count from 0 or from 1', [{ index: 1, error }], NONE],
		['an index may count from 0 or from 1', [{ index: 0, error }], NONE],
		[
			'by position, an entry names another operation',
			[ok({ sku: 'C' }), ok({}), { status: 500 }],
			['notConfirmed', 'notConfirmed', 'done'],
		],
		['by position, an entry names a foreign one', [ok({ sku: 'X' }), ok({}), ok({})], NONE],
	])('is not confirmed where %s: %j', (_what, data, expected) => {
		expect(kinds({ data })).toEqual(expected);
	});
});

const truth = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 });
const form = fc.record({
	container: fc.constantFrom('data', 'results', undefined),
	name: fc.constantFrom('sku', 'index', 'index1', 'both'),
	verdict: fc.constantFrom('status', 'word', 'error', 'flag'),
});

describe('whatever the form', () => {
	it('calls exactly those failed that the platform refused', () => {
		fc.assert(
			fc.property(
				truth,
				form,
				fc.func(fc.nat()),
				(outcomes, { container, name, verdict }, order) => {
					const shuffled = outcomes
						.map((isDone, at) => ({ ...names(name, at), ...says(verdict, isDone, at) }))
						.map((entry, at) => ({ entry, key: order(at) }))
						.sort((a, b) => a.key - b.key)
						.map(({ entry }) => entry);
					const body = container === undefined ? shuffled : { [container]: shuffled };
					const skus = outcomes.map((_, at) => `S-${at}`);
					expect(kinds(body, skus)).toEqual(outcomes.map((isDone) => (isDone ? 'done' : 'failed')));
				},
			),
		);
	});

	it('never calls an operation done that no result names, and gives every operation one result', () => {
		fc.assert(
			fc.property(truth, form, fc.infiniteStream(fc.boolean()), (outcomes, { verdict }, drops) => {
				const dropped = outcomes.map(() => drops.next().value === true);
				const data = outcomes.flatMap((isDone, at) =>
					dropped[at] ? [] : [{ sku: `S-${at}`, ...says(verdict, isDone, at) }],
				);
				const skus = outcomes.map((_, at) => `S-${at}`);
				expect(kinds({ data }, skus)).toEqual(
					outcomes.map((isDone, at) => (dropped[at] ? 'notConfirmed' : isDone ? 'done' : 'failed')),
				);
			}),
		);
	});

	it('reads anything without a fault', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (body) => {
				expect(read(body)).toHaveLength(3);
			}),
		);
	});
});

describe('whatever is not known', () => {
	const KNOWN = ['index', 'sku', 'op', 'id', 'status', 'success', 'data', 'product', 'request_id'];
	const unknownName = fc.string({ minLength: 1 }).filter((name) => !KNOWN.includes(name));
	const said = fc.oneof(fc.constant(true), fc.integer(), fc.string({ minLength: 1 }));

	it('makes no result done by an unknown field', () => {
		const fields = fc.dictionary(unknownName, fc.jsonValue());
		fc.assert(fc.property(fields, (more) => kinds(each(more)).every((kind) => kind !== 'done')));
	});

	it('makes no result done by an unknown word or number', () => {
		const DONE = /^(20[014]|created|updated|unchanged|upserted|ok|success|succeeded)$/i;
		const status = said.filter((value) => !DONE.test(String(value)));
		const beside = fc.constantFrom({}, { success: true }, { data: product('A') });
		fc.assert(
			fc.property(status, beside, (word, more) => {
				const data = [{ sku: 'A', ...more, status: word }];
				expect(kinds({ data }, ['A'])).not.toEqual(['done']);
			}),
		);
	});

	it('beside a good status leaves a result not confirmed', () => {
		fc.assert(
			fc.property(unknownName, said, (name, value) => {
				expect(kinds(each({ status: 200, [name]: value }))).toEqual(NONE);
			}),
		);
	});
});

function names(given: string, at: number): object {
	const sku = { sku: `S-${at}` };
	if (given === 'sku') return sku;
	if (given === 'both') return { index: at, ...sku };
	return { index: given === 'index1' ? at + 1 : at };
}

function says(given: string, isDone: boolean, at: number): object {
	if (given === 'status') return { status: isDone ? 200 : 422 };
	if (given === 'word') return { status: isDone ? 'updated' : 'failed' };
	if (given === 'flag') return { success: isDone };
	return isDone ? { data: product(`S-${at}`) } : { error };
}
