import type { IDataObject } from 'n8n-workflow';

import { runOperation } from '../../support/engine/runNode';
import { stubApi } from '../../support/engine/stubApi';
import { playCorpus } from './corpusCase';

interface Given {
	operations: Array<{ sku: string; title: string }>;
	status: number;
	body: IDataObject;
}

type Result = 'done' | 'failed' | 'notDone';

interface Expected {
	A?: Result;
	B?: Result;
	/** The platform's message for it, which the item's error must contain. */
	says?: { A?: string; B?: string };
}

/** Create or Update of two products. An item that is an error was not done. */
playCorpus<Given, Expected>(
	['batch-answer.json', 'batch-answer-more.json'],
	async ({ operations, status, body }, { says, ...expected }) => {
		const requests = stubApi({ 'POST /products/batch': [[status, body]] });
		const { items } = await runOperation(
			'product.upsert',
			{ specifyProduct: 'defineBelow', sku: '={{ $json.sku }}', title: '={{ $json.title }}' },
			{
				items: operations.map(({ sku, title }) => ({ sku, title })),
				onError: 'continueRegularOutput',
			},
		);
		// Nothing is sent again, and nothing is written one by one.
		expect(requests).toHaveLength(1);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		const results = { A: items[0].json, B: items[1].json };
		for (const name of ['A', 'B'] as const) {
			const { [name]: result } = results;
			if (expected[name] === undefined) continue;
			expect(result.error === undefined ? 'done' : 'notDone').toBe(
				expected[name] === 'done' ? 'done' : 'notDone',
			);
			const isUnclear = JSON.stringify(result).includes('not confirmed');
			if (expected[name] === 'failed') expect(isUnclear).toBe(false);
			expect(JSON.stringify(result)).toContain(says?.[name] ?? '');
		}
	},
);
