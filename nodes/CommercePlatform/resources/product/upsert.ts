import type { IDataObject } from 'n8n-workflow';

import { decimalAmounts, simplify } from '../../../shared/fields';
import { flag, oneOf, wholeNumber } from '../../../shared/values/readers';
import { notice } from '../../fields/build';
import { MAX_BATCH_BYTES, MAX_BATCH_OPERATIONS } from '../../bulk/batches';
import { upsertProducts } from '../../bulk/upsert';
import type { AllOperation } from '../../run/operation';
import {
	batchOptions,
	batchSize,
	dryRun,
	ifBatchNotAvailable,
	onlyIfChanged,
} from '../../fields/options';
import { skuOfProduct, specifyProduct } from './specifyProduct';

const batchNotice = notice(
	'batchNotice',
	'Up to 100 items go out per request. Batches are in development on the platform: where it takes none, see “If Batch Is Not Available”.',
);

const short = {
	...simplify,
	description:
		'Whether to return the ID, SKU, title, result (created, updated or unchanged) and time of each product instead of all of it',
};

export const upsert: AllOperation = {
	kind: 'all',
	scope: 'products.write',
	reads: { scope: 'products.read', when: ['Only If Changed', 'Send One by One'] },
	inDevelopment: true,
	meanwhile:
		'Until then set “If Batch Is Not Available” to Send One by One: each product is looked up and written by itself.',
	remark: 'all items, up to 100 in one request; Only If Changed, Dry Run',
	option: {
		name: 'Create or Update',
		value: 'upsert',
		action: 'Create or update a product',
		description: 'Create a new record, or update the current one if it already exists (upsert)',
		routing: { request: { method: 'POST', url: '/products/batch' } },
	},
	keyOf: skuOfProduct,
	run: async (call) => {
		const options = call.parameter('options', {}) as IDataObject;
		const size = options.batchSize ?? MAX_BATCH_OPERATIONS;
		await upsertProducts(call, {
			limits: {
				maxOperations: wholeNumber('Batch Size', size, 1, MAX_BATCH_OPERATIONS),
				maxBytes: MAX_BATCH_BYTES,
			},
			ifBatchNotAvailable: oneOf(ifBatchNotAvailable.displayName, options.ifBatchNotAvailable, [
				'single',
				'stop',
			]),
			onlyIfChanged: flag(options, onlyIfChanged.name, onlyIfChanged.displayName),
			dryRun: flag(options, dryRun.name, dryRun.displayName),
			simplify: call.parameter(simplify.name, true) !== false,
		});
	},
	fields: [
		batchNotice,
		...specifyProduct(),
		short,
		...batchOptions([decimalAmounts, batchSize, ifBatchNotAvailable, onlyIfChanged]),
	],
};
