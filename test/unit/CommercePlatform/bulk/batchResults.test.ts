import fc from 'fast-check';

import { readBatchResults } from '../../../../nodes/CommercePlatform/bulk/results/readBatchResults';

const SKUS = ['A', 'B', 'C'];
const product = (sku: string) => ({ id: `prod_${sku}`, title: sku, variants: [{ sku }] });
const error = { code: 'INVALID_PARAMETER', message: 'title is needed' };

const kinds = (status: number, body: unknown, skus = SKUS) =>
	readBatchResults(skus, status, body).map(({ kind }) => kind);

const ALL_DONE = ['done', 'done', 'done'];
const SECOND_FAILED = ['done', 'failed', 'done'];
const NONE = ['notConfirmed', 'notConfirmed', 'notConfirmed'];

describe('a whole success', () => {
	it.each([
		['under data', { data: SKUS.map((sku) => ({ sku, status: 200 })) }],
		['under results', { results: SKUS.map((sku) => ({ sku, status: 'created' })) }],
		['under items', { items: SKUS.map((sku) => ({ sku, success: true })) }],
		['under data.results', { data: { results: SKUS.map((sku) => ({ sku, status: 'ok' })) } }],
		['as a bare list', SKUS.map((sku) => ({ sku, status: '201' }))],
		['in another order', { data: [...SKUS].reverse().map((sku) => ({ sku, status: 200 })) }],
		['with an index', { data: [2, 0, 1].map((index) => ({ index, status: 200 })) }],
		['with an index from 1', { data: [3, 1, 2].map((index) => ({ index, status: 200 })) }],
		['with an index as text', { data: ['0', '1', '2'].map((index) => ({ index, ok: true })) }],
		['by position', { data: SKUS.map(() => ({ status: 'updated' })) }],
		['by position, as bare words', { data: SKUS.map(() => 'updated') }],
		['as bare products', { data: SKUS.map(product) }],
		['as bare products in another order', { data: [...SKUS].reverse().map(product) }],
		[
			'as products beside a status',
			{ data: SKUS.map((sku) => ({ status: 200, data: product(sku) })) },
		],
		['naming each SKU and no error', { data: SKUS.map((sku) => ({ sku })) }],
		['keyed by SKU', { results: { A: { ok: true }, B: { ok: true }, C: { ok: true } } }],
		[
			'with an empty error',
			{ data: SKUS.map((sku) => ({ sku, status: 200, error: null, errors: [] })) },
		],
		[
			'with more results than operations',
			{ data: [...SKUS, 'D'].map((sku) => ({ sku, status: 200 })) },
		],
		[
			'as lists of what was created and updated',
			{ created: [{ sku: 'A' }], updated: [{ sku: 'C' }, { sku: 'B' }] },
		],
		['in other capitals', { data: SKUS.map((sku) => ({ sku: sku.toLowerCase(), status: 200 })) }],
	])('is read %s', (_form, body) => {
		expect(kinds(200, body)).toEqual(ALL_DONE);
	});

	it('is read as 207 as well', () => {
		expect(kinds(207, { data: SKUS.map((sku) => ({ sku, status: 200 })) })).toEqual(ALL_DONE);
	});

	it('gives the product that the answer shows', () => {
		const results = readBatchResults(SKUS, 200, { data: [...SKUS].reverse().map(product) });
		expect(results).toEqual(SKUS.map((sku) => ({ kind: 'done', record: product(sku) })));
	});

	it('does not take a product’s own status for the result’s', () => {
		const data = SKUS.map((sku) => ({ ...product(sku), status: 'draft' }));
		expect(kinds(200, { data })).toEqual(ALL_DONE);
	});

	it('of one operation is read as any other write’s answer', () => {
		expect(kinds(200, { data: product('A') }, ['A'])).toEqual(['done']);
		expect(kinds(200, product('A'), ['A'])).toEqual(['done']);
		expect(kinds(200, { data: { sku: 'A', error } }, ['A'])).toEqual(['failed']);
	});

	it('is read where a product’s own SKU is that of another variant', () => {
		const data = SKUS.map((sku) => ({
			id: sku,
			sku: 'MAIN',
			variants: [{ sku: 'MAIN' }, { sku }],
		}));
		expect(kinds(200, { data })).toEqual(ALL_DONE);
	});

	it('of variants of one product is read by position or index', () => {
		const shared = { id: 'prod_1', title: 'x', variants: SKUS.map((sku) => ({ sku })) };
		expect(kinds(200, { data: SKUS.map(() => shared) })).toEqual(ALL_DONE);
		expect(kinds(200, { data: [2, 1, 0].map((index) => ({ index, data: shared })) })).toEqual(
			ALL_DONE,
		);
		expect(kinds(200, { data: [shared] })).toEqual(NONE);
	});
});

describe('a partial success', () => {
	const failing = (name: object) => [
		{ sku: 'A', status: 200 },
		{ sku: 'B', ...name },
		{ sku: 'C', status: 200 },
	];
	it.each([
		['a status', { status: 422 }],
		['a status as text', { status: '422' }],
		['a word', { status: 'failed' }],
		['a flag', { success: false }],
		['an error object', { error }],
		['an error text', { error: 'title is needed' }],
		['a list of errors', { errors: [error] }],
		['a status and an error', { status: 400, error }],
	])('is told by %s', (_form, entry) => {
		expect(kinds(207, { data: failing(entry) })).toEqual(SECOND_FAILED);
		expect(kinds(200, { data: failing(entry) })).toEqual(SECOND_FAILED);
	});

	it('is told by lists of their own', () => {
		const errors = [{ sku: 'B', ...error }];
		expect(kinds(207, { data: [product('A'), product('C')], errors })).toEqual(SECOND_FAILED);
		expect(kinds(207, { succeeded: [{ sku: 'C' }, { sku: 'A' }], failed: errors })).toEqual(
			SECOND_FAILED,
		);
	});

	it('is told by what failed and a count of what succeeded', () => {
		const results = [{ sku: 'B', status: 422 }];
		expect(kinds(207, { data: { results, succeeded: 2, failed: 1 } })).toEqual(SECOND_FAILED);
		expect(kinds(207, { results, summary: { succeeded: 2 } })).toEqual(SECOND_FAILED);
		const unsure = ['notConfirmed', 'failed', 'notConfirmed'];
		expect(kinds(207, { data: { results, succeeded: 1, failed: 1 } })).toEqual(unsure);
		expect(kinds(207, { results })).toEqual(unsure);
	});

	it('gives the platform’s own words', () => {
		const body = { data: failing({ status: 422, error: { ...error, request_id: 'req_1' } }) };
		expect(readBatchResults(SKUS, 207, body)[1]).toEqual({
			kind: 'failed',
			error: { status: 422, code: error.code, message: error.message, requestId: 'req_1' },
		});
		expect(
			readBatchResults(SKUS, 207, { data: failing({ errors: ['no title'] }) })[1],
		).toMatchObject({
			error: { message: 'no title' },
		});
	});
});

describe('what is missing or has more than one reading', () => {
	it.each([
		['nothing', undefined],
		['an empty object', {}],
		['an empty list', { data: [] }],
		['a text', 'ok'],
		['null', null],
		['fewer results without a name', { data: [{ status: 200 }, { status: 200 }] }],
		['more results without a name', { data: Array.from({ length: 4 }, () => ({ status: 200 })) }],
		['results of other SKUs', { data: ['X', 'Y', 'Z'].map((sku) => ({ sku, status: 200 })) }],
		['results that are only accepted', { data: SKUS.map((sku) => ({ sku, status: 'queued' })) }],
		['results with status 202', { data: SKUS.map((sku) => ({ sku, status: 202 })) }],
		['unknown words', { data: SKUS.map((sku) => ({ sku, status: 'pondered' })) }],
		['empty results', { data: SKUS.map(() => ({})) }],
		['bare IDs', { data: ['1', '2', '3'] }],
		['results that say both', { data: SKUS.map((sku) => ({ sku, status: 200, error })) }],
	])('is not confirmed: %s', (_what, body) => {
		expect(kinds(200, body)).toEqual(NONE);
	});

	it('is not confirmed for the operation that has no result', () => {
		const data = [
			{ sku: 'C', status: 200 },
			{ sku: 'A', status: 200 },
		];
		expect(readBatchResults(SKUS, 200, { data })).toEqual([
			{ kind: 'done', record: undefined },
			{ kind: 'notConfirmed', reason: 'the answer has no result for it' },
			{ kind: 'done', record: undefined },
		]);
	});

	it('is not confirmed where index and SKU contradict each other', () => {
		const data = [
			{ index: 0, sku: 'B', status: 200 },
			{ index: 1, sku: 'A', status: 200 },
			{ index: 2, sku: 'C', status: 200 },
		];
		expect(kinds(200, { data })).toEqual(['notConfirmed', 'notConfirmed', 'done']);
	});

	it('is not confirmed where two results differ, and is where they agree', () => {
		const twice = (second: object) => [...SKUS.map((sku) => ({ sku, status: 200 })), second];
		expect(kinds(200, { data: twice({ sku: 'A', status: 500 }) })[0]).toBe('notConfirmed');
		expect(kinds(200, { data: twice({ sku: 'A', status: 200 }) })).toEqual(ALL_DONE);
	});

	it('is not confirmed by an index that may count from 0 or from 1', () => {
		expect(kinds(207, { data: [], errors: [{ index: 1, ...error }] })).toEqual(NONE);
		expect(kinds(207, { errors: [{ index: 0, ...error }] })).toEqual([
			'failed',
			'notConfirmed',
			'notConfirmed',
		]);
	});

	it('is not confirmed by a name alone in a partial success', () => {
		expect(kinds(207, { data: SKUS.map((sku) => ({ sku })) })).toEqual(NONE);
	});

	it('is not confirmed by position where the list is out of order', () => {
		const data = [{ sku: 'C', status: 200 }, { status: 200 }, { status: 500 }];
		expect(kinds(207, { data })).toEqual(['notConfirmed', 'notConfirmed', 'done']);
	});
});

describe('whatever the form', () => {
	const truth = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 });
	const form = fc.record({
		container: fc.constantFrom('data', 'results', 'items', 'operations', undefined),
		name: fc.constantFrom('sku', 'index', 'index1', 'both'),
		verdict: fc.constantFrom('status', 'word', 'error', 'flag'),
		partial: fc.boolean(),
		seed: fc.integer(),
	});

	it('calls exactly those failed that the platform refused', () => {
		fc.assert(
			fc.property(
				truth,
				form,
				fc.func(fc.nat()),
				(outcomes, { container, name, verdict, partial }, order) => {
					const entries = outcomes.map((isDone, at) => ({
						...names(name, at),
						...says(verdict, isDone, at),
					}));
					const shuffled = entries
						.map((entry, at) => ({ entry, key: order(at) }))
						.sort((a, b) => a.key - b.key)
						.map(({ entry }) => entry);
					const body = container === undefined ? shuffled : { [container]: shuffled };
					const skus = outcomes.map((_, at) => `S-${at}`);
					expect(kinds(partial ? 207 : 200, body, skus)).toEqual(
						outcomes.map((isDone) => (isDone ? 'done' : 'failed')),
					);
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
				expect(kinds(207, { data }, skus)).toEqual(
					outcomes.map((isDone, at) => (dropped[at] ? 'notConfirmed' : isDone ? 'done' : 'failed')),
				);
			}),
		);
	});

	it('reads anything without a fault', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.constantFrom(200, 201, 202, 207), (body, status) => {
				expect(readBatchResults(SKUS, status, body)).toHaveLength(3);
			}),
		);
	});
});

function names(form: string, at: number): object {
	const sku = { sku: `S-${at}` };
	if (form === 'sku') return sku;
	if (form === 'both') return { index: at, ...sku };
	return { index: form === 'index1' ? at + 1 : at };
}

function says(form: string, isDone: boolean, at: number): object {
	if (form === 'status') return { status: isDone ? 200 : 422 };
	if (form === 'word') return { status: isDone ? 'updated' : 'failed' };
	if (form === 'flag') return { success: isDone };
	return isDone ? { data: product(`S-${at}`) } : { error };
}
