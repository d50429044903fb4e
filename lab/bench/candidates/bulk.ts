import type { IDataObject } from 'n8n-workflow';

import type { NodeRun } from '../../../test/support/engine/runNode';
import type { Job } from '../job';
import { engineRun, type Candidate } from './candidate';
import { builtNode, httpRequest, n8nNode } from './nodes';

/**
 * Products as a spreadsheet or an ERP sends them, about 400 bytes each. They are parsed from JSON, as in n8n: texts
 * that are concatenated here would share their parts, and take less memory until somebody reads them.
 */
export const productsOf = ({ count }: Job): IDataObject[] =>
	Array.from({ length: count }, (_, n) => JSON.parse(JSON.stringify(product(n))) as IDataObject);

const product = (n: number): IDataObject => ({
	sku: `BENCH-${n}`,
	title: `Linen shirt number ${n}`,
	handle: `linen-shirt-number-${n}`,
	status: 'published',
	description: `A shirt of linen, made to last, in the colour ${n % 40}, of the collection ${n % 7}.`,
	variants: [
		{
			sku: `BENCH-${n}`,
			title: 'M',
			prices: [
				{ amount: 1_999 + (n % 500), currency: 'EUR' },
				{ amount: 2_199 + (n % 500), currency: 'USD' },
			],
		},
	],
});

const createByHttp = (job: Job): NodeRun =>
	httpRequest(job, {
		method: 'POST',
		url: `${job.baseUrl}/products`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody:
			'={{ JSON.stringify({ title: $json.title, handle: $json.handle, status: $json.status, description: $json.description, variants: $json.variants }) }}',
	});

/** Ways to write many products. */
export function bulkCandidates(job: Job): Record<string, () => Candidate> {
	const writes = (run: NodeRun): Candidate => {
		return async () => await engineRun(job, { ...run, items: productsOf(job) });
	};
	const loop = () => n8nNode(job, 'SplitInBatches/SplitInBatches.node.js', 3);
	const retryOnFail = { maxTries: 5, waitBetweenTries: 1_000 };
	return {
		'bulk/ours': () =>
			writes({
				nodeType: builtNode(),
				parameters: {
					resource: 'product',
					operation: 'upsert',
					specifyProduct: 'autoMapInputData',
					options: job.options ?? {},
				},
			}),
		'bulk/single': () =>
			writes({
				nodeType: builtNode(),
				parameters: {
					resource: 'product',
					operation: 'create',
					title: '={{ $json.title }}',
					additionalFields: {
						handle: '={{ $json.handle }}',
						status: '={{ $json.status }}',
						description: '={{ $json.description }}',
						variantsJson: '={{ $json.variants }}',
					},
				},
			}),
		/** All items at once; after a failure n8n repeats the whole node, as when users switch on Retry On Fail. */
		'bulk/http-retry': () => writes({ ...createByHttp(job), retryOnFail }),
		/** The same, one item at a time, so that n8n repeats only the item that failed. */
		'bulk/http-loop-retry': () => writes({ ...createByHttp(job), loopedBy: loop(), retryOnFail }),
		'bulk/http-loop': () => writes({ ...createByHttp(job), loopedBy: loop() }),
	};
}
