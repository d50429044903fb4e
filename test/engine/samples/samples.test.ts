import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import SAMPLES from './0.1.0.json';
import { serveShop, type SentRequest } from './shop';

/** What a workflow of version 0.1.0 holds of the node, and what that version sent for it. */
interface Sample {
	name: string;
	parameters: IDataObject;
	requests: SentRequest[];
}

/** In place of a key that the node made itself. */
const MADE_KEY = '(made by the node)';

const OPERATIONS_OF_0_1 = `
	account.get
	category.create category.getAll
	customer.create customer.get customer.getAll customer.update
	event.getAll
	inventory.adjust inventory.getAll inventory.set
	order.cancel order.fulfill order.get order.getAll order.refund order.update
	product.create product.delete product.get product.getAll product.update
	webhook.create webhook.delete webhook.get webhook.getAll
	webhook.recreate webhook.rotateSecret webhook.test webhook.update
`;

const samples = SAMPLES as unknown as Sample[];

afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

/** The same, without keys that differ from execution to execution. */
function withoutMadeKeys(requests: SentRequest[], { parameters }: Sample): SentRequest[] {
	const { idempotencyKey } = (parameters.options ?? {}) as IDataObject;
	if (idempotencyKey !== undefined) return requests;
	return requests.map((request) =>
		request.headers['idempotency-key'] === undefined
			? request
			: { ...request, headers: { ...request.headers, 'idempotency-key': MADE_KEY } },
	);
}

/** The variants of an update, which 0.1.0 sent in place of all that the product had. */
function replacedVariants({ parameters, requests }: Sample): IDataObject[] {
	const { variants } = (requests.at(-1)?.body ?? {}) as { variants?: IDataObject[] };
	return parameters.operation === 'update' ? (variants ?? []) : [];
}

/** Variants are merged now; Replace All is what 0.1.0 did. */
const asThen = (sample: Sample): IDataObject =>
	replacedVariants(sample).length === 0
		? sample.parameters
		: { ...sample.parameters, writeVariants: 'replace' };

describe('a workflow that was saved with version 0.1.0', () => {
	it.each(samples.map((sample) => [sample.name, sample] as const))(
		'sends what it sent then: %s',
		async (_name, sample) => {
			const sent = serveShop();
			const { error } = await runNode({ parameters: asThen(sample), typeVersion: 1 });
			expect(error).toBeUndefined();
			expect(withoutMadeKeys(sent, sample)).toEqual(sample.requests);
		},
	);

	const replacing = samples.filter((sample) => replacedVariants(sample).length > 0);

	it.each(replacing.map((sample) => [sample.name, sample] as const))(
		'keeps the variants that it does not name, and sends the same amounts: %s',
		async (_name, sample) => {
			const sent = serveShop();
			const { error } = await runNode({ parameters: sample.parameters, typeVersion: 1 });
			expect(error).toBeUndefined();
			expect(sent.map(({ method }) => method)).toEqual(['GET', 'PATCH']);
			const { variants } = sent[1].body as { variants: IDataObject[] };
			expect(variants.map(({ sku }) => sku)).toEqual(['A', 'V1', 'V2', 'OTHER']);
			for (const named of replacedVariants(sample))
				expect(variants.find(({ sku }) => sku === named.sku)).toMatchObject(named);
		},
	);

	it('is looked at for every operation of that version', () => {
		const sampled = samples.map(
			({ parameters: { resource, operation } }) => `${String(resource)}.${String(operation)}`,
		);
		expect([...new Set(sampled)].sort()).toEqual(
			OPERATIONS_OF_0_1.split(/\s+/).filter(Boolean).sort(),
		);
	});
});
