import type { IDataObject } from 'n8n-workflow';

import { byMode } from '../../support/parameters';
import { FIRST_CASES } from './cases';
import type { Fixtures, Shop } from './shop';

type Parameters = (fixtures: Fixtures, shop: Shop) => IDataObject | Promise<IDataObject>;

/** A choice for which an operation reads beside its own request. */
export interface ReadCase {
	/** e.g. `order.cancel` */
	operation: string;
	/** As the operation names it; none where it always reads. */
	when?: string;
	parameters: Parameters;
}

/** The answer to the first write to an order. */
const NOT_ALLOWED = {
	path: '/orders/',
	fault: 'status' as const,
	status: 409,
	code: 'INVALID_STATE_TRANSITION',
	times: 1,
};

/** How each choice is made. */
const CHOICES: Record<string, Parameters> = {
	'an empty Currency': () => ({ extent: 'amount', amount: '1', currency: '' }),
	'All Open Items': () => ({ specifyItems: 'open' }),
	'Dry Run': () => ({ options: { dryRun: true } }),
	'By Email': async ({ customer }, shop) => ({
		customerId: byMode('email', (await shop.read(`/customers/${customer}`)).email),
	}),
	'By Handle': ({ handle }) => ({ productId: byMode('handle', handle) }),
	'Merge by SKU and Currency': ({ sku }) => ({
		updateFields: { variantsJson: `[{ "sku": "${sku}", "title": "New" }]` },
	}),
	'By Number': async ({ order }, shop) => ({
		orderId: byMode('number', (await shop.read(`/orders/${order}`)).number),
	}),
	'Only If Changed': () => ({ options: { onlyIfChanged: true } }),
	Overwrite: () => ({ options: { onConflict: 'overwrite', updatedAt: '2020-01-01T00:00:00Z' } }),
	'Return Current Level': () => ({ options: { onConflict: 'returnCurrent', ifMatch: '"99"' } }),
	'Return Current Order': async (_fixtures, { platform }) => {
		await platform.control.setFaults([NOT_ALLOWED]);
		return { options: { ifNotAllowed: 'returnCurrent' } };
	},
	'Send One by One': async (_fixtures, { platform }) => {
		await platform.control.configure({ inDevelopment: { batch: false } });
		return { options: { ifBatchNotAvailable: 'single' } };
	},
};

/** Every one that a case declares. */
export const READ_CASES: ReadCase[] = FIRST_CASES.flatMap(({ operation, parameters, reads }) =>
	(reads?.split(', ') ?? []).map((when) => ({
		operation,
		...(when !== 'always' && { when }),
		parameters: async (fixtures, shop) => ({
			...parameters(fixtures),
			...(await CHOICES[when]?.(fixtures, shop)),
		}),
	})),
);
