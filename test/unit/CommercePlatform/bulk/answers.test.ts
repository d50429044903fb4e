import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readBatchResults } from '../../../../nodes/CommercePlatform/bulk/batchResults';
import { readJob } from '../../../../nodes/CommercePlatform/bulk/importJob';
import { outcomeOf } from '../../../../nodes/shared/api/answer';
import { scrubberOf } from '../../../../nodes/shared/api/credential';
import { heldItems } from '../../../support/heldItems';

/**
 * Answers as platforms of many kinds give them: ordinary ones, whose writes are done, and dangerous ones, whose writes
 * are not. A case for one side is tried on the other.
 */
interface Case<Given, Expect> {
	side: 'ordinary' | 'dangerous';
	name: string;
	given: Given;
	expect: Expect;
}

interface Answer {
	status: number;
	body?: unknown;
}

const casesOf = <Given, Expect>(kind: string) =>
	JSON.parse(readFileSync(join(__dirname, 'answers', `${kind}.json`), 'utf8')) as Array<
		Case<Given, Expect>
	>;

const titleOf = ({ side, name }: { side: string; name: string }) => `${side}: ${name}`;

/** Why the client takes the answer to a write for a failure. */
const problemOf = ({ status, body }: Answer, path: string) =>
	outcomeOf(
		{
			status,
			headers: { 'content-type': 'application/json' },
			text: body === undefined ? '' : JSON.stringify(body),
		},
		{ method: 'POST', url: `https://api.shop.example/v1${path}` },
		{ forReturn: false, scrub: scrubberOf('cpk_test_0123456789'), nowMs: 0 },
	).problem;

type Result = 'done' | 'failed' | 'notDone';

describe('the answer to a batch of two products', () => {
	const cases = casesOf<
		Answer & { operations: Array<{ sku: string }> },
		{ A: Result; B: Result; says?: Record<'A' | 'B', string> }
	>('batch-answer');

	it.each(cases.map((one) => [titleOf(one), one] as const))(
		'%s',
		(_title, { given, expect: wanted }) => {
			const { says, ...expected } = wanted;
			const items = heldItems(given.operations.map(({ sku }) => ({ sku })));
			const isRefused = problemOf(given, '/products/batch') !== undefined;
			const [A, B] = readBatchResults(items, isRefused ? undefined : given.body);
			const results = { A, B };
			for (const name of ['A', 'B'] as const) {
				if (expected[name] === undefined) continue;
				expect(results[name].kind === 'done').toBe(expected[name] === 'done');
				if (expected[name] === 'failed') expect(results[name].kind).toBe('failed');
				if (says?.[name] !== undefined)
					expect(results[name]).toMatchObject({ details: { platformMessage: says[name] } });
			}
		},
	);
});

describe('the answers to an import job of three products', () => {
	const cases = casesOf<
		{ start: Answer; looks?: Answer[] },
		{ job: 'done' | 'running' | 'failed' }
	>('import-job');

	it.each(cases.map((one) => [titleOf(one), one] as const))(
		'%s',
		(_title, { given, expect: wanted }) => {
			const { start, looks = [] } = given;
			const first = readJob(start.body, 3);
			const last = looks.at(-1);
			const look = readJob(last?.body, 3);
			// An error without an ID, a refused look or another job says nothing of this one.
			const isShown = last !== undefined && last.status === 200 && look.id === first.id;
			const isRefused = problemOf(start, '/jobs/catalog-import') !== undefined;
			const readings = isShown ? [first, look] : [first];
			const isFailed = isRefused || readings.some(({ failure }) => failure !== undefined);
			expect(isFailed).toBe(wanted.job === 'failed');
			if (!isFailed) expect(readings.at(-1)?.hasEnded).toBe(wanted.job === 'done');
		},
	);
});

describe('the answer to a write', () => {
	const PATHS: Record<string, string> = {
		'order.refund': '/orders/ord_1/refunds',
		'order.fulfill': '/orders/ord_1/fulfillments',
		'inventory.adjust': '/inventory/levels/adjust',
	};
	const cases = casesOf<Answer & { operation: string }, { write: 'done' | 'notDone' }>(
		'write-answer',
	);

	it.each(cases.map((one) => [titleOf(one), one] as const))(
		'%s',
		(_title, { given, expect: wanted }) => {
			const problem = problemOf(given, PATHS[given.operation] ?? '/orders/ord_1');
			expect(problem === undefined ? 'done' : 'notDone').toBe(wanted.write);
		},
	);
});
