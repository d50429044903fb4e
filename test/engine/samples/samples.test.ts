import { NodeHelpers, type IDataObject, type INode } from 'n8n-workflow';

import { actionNode, runNode } from '../../support/engine/runNode';
import { FIRST_CASES } from '../operations/cases';
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

const samples = SAMPLES as unknown as Sample[];

/** The same, without keys that differ from execution to execution. */
function withoutMadeKeys(requests: SentRequest[], { parameters }: Sample): SentRequest[] {
	const { idempotencyKey } = (parameters.options ?? {}) as IDataObject;
	if (idempotencyKey !== undefined) return requests;
	return requests.map(({ headers, ...request }) => {
		const isKeyed = headers['idempotency-key'] !== undefined;
		return { ...request, headers: { ...headers, ...(isKeyed && { 'idempotency-key': MADE_KEY }) } };
	});
}

describe('a workflow that was saved with version 0.1.0', () => {
	it.each(samples.map((sample) => [sample.name, sample] as const))(
		'sends what it sent then: %s',
		async (_name, sample) => {
			const sent = serveShop();
			const { error } = await runNode({ parameters: sample.parameters });
			expect(error).toBeUndefined();
			expect(withoutMadeKeys(sent, sample)).toEqual(sample.requests);
		},
	);

	it('is looked at for every operation', () => {
		const sampled = samples.map(
			({ parameters: { resource, operation } }) => `${String(resource)}.${String(operation)}`,
		);
		expect([...new Set(sampled)].sort()).toEqual(FIRST_CASES.map(({ name }) => name).sort());
	});
});

it('a node that is added opens on Order, Get Many', () => {
	const { description } = actionNode(false);
	const { properties, version } = description;
	const node = { typeVersion: version } as INode;
	// What the editor makes of a node's parameters: with the defaults that it does not save.
	const filled = NodeHelpers.getNodeParameters(properties, {}, true, false, node, description);
	expect(filled).toMatchObject({ resource: 'order', operation: 'getAll' });
});
