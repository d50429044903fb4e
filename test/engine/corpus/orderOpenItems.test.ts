import type { IDataObject } from 'n8n-workflow';

import { runOperation } from '../../support/engine/runNode';
import { stubApi } from '../../support/engine/stubApi';
import { byId } from '../../support/parameters';
import { playCorpus } from './corpusCase';

interface Sending {
	line_item_id: string;
	quantity: number;
}

interface Expected {
	/** Exactly these quantities are sent. */
	sends?: Sending[];
	/** These quantities or fewer are sent. */
	sendsAtMost?: Sending[];
	sendsNothing?: true;
}

playCorpus<{ order: IDataObject }, Expected>(
	['order-open-items.json', 'order-open-items-more.json'],
	async ({ order }, expected) => {
		const requests = stubApi({
			'GET /orders/*': [[200, { data: order }]],
			'POST /orders/*/fulfillments': [[201, { data: { id: 'ful_new' } }]],
		});
		const { error } = await runOperation('order.fulfill', { orderId: byId(order.id) });
		const bodies = requests
			.filter(({ route }) => route.startsWith('POST'))
			.map(({ body }) => body as { items: Sending[] });
		const sent = new Map(
			bodies.flatMap(({ items }) => items.map((item) => [item.line_item_id, item.quantity])),
		);
		if (expected.sends !== undefined) {
			expect(error).toBeUndefined();
			expect(bodies).toEqual([{ items: expected.sends }]);
		} else if (expected.sendsAtMost === undefined) expect(bodies).toEqual([]);
		else
			for (const { line_item_id, quantity } of expected.sendsAtMost)
				expect(sent.get(line_item_id) ?? 0).toBeLessThanOrEqual(quantity);
	},
);
