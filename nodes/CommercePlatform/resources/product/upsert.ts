import { decimalAmounts, simplify } from '../../../shared/fields';
import { choice, notice, numberField } from '../../fields/build';
import { MAX_BATCH_BYTES, MAX_BATCH_OPERATIONS } from '../../bulk/batches';
import { upsertProducts } from '../../bulk/upsert';
import { onlyIfChanged } from '../../fields/options';
import { all } from '../operation';
import { skuOfProduct, specifyProduct } from './specifyProduct';

const batchSize = numberField(
	'Batch Size',
	'batchSize',
	'How many products one request holds at most. Fewer make it easier to see which one the platform refuses.',
	{ default: 100, min: 1, max: 100 },
);

const ifBatchNotAvailable = choice(
	'If Batch Is Not Available',
	'ifBatchNotAvailable',
	{
		single: [
			'Send One by One',
			'Look up each SKU, then write its product: two requests per item, three with variants or prices. What you do not enter stays.',
		],
		stop: ['Stop', 'Fail with an error'],
	},
	'What to do when the platform takes no batches. It marks them as in development and announces them in its changelog.',
	{ default: 'single' },
);

const batchNotice = notice(
	'batchNotice',
	'Up to 100 items go out per request. Batches are in development on the platform: where it takes none, see “If Batch Is Not Available”.',
);

const short = {
	...simplify,
	description:
		'Whether to return the ID, SKU, title, result (created, updated or unchanged) and time of each product instead of all of it',
};

export const upsert = all({
	request: 'POST /products/batch',
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update a product',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	inDevelopment:
		'Until then set “If Batch Is Not Available” to Send One by One: each product is looked up and written by itself.',
	keyOf: skuOfProduct,
	run: async (call) => {
		const { batchSize: size = MAX_BATCH_OPERATIONS, dryRun, ...options } = call.options;
		await upsertProducts(call, {
			limits: { maxOperations: size as number, maxBytes: MAX_BATCH_BYTES },
			ifBatchNotAvailable: options.ifBatchNotAvailable === 'stop' ? 'stop' : 'single',
			onlyIfChanged: options.onlyIfChanged === true,
			dryRun: dryRun === true,
			simplify: call.parameter(simplify.name, true) !== false,
		});
	},
	fields: [batchNotice, ...specifyProduct(), short],
	options: [decimalAmounts, batchSize, ifBatchNotAvailable, onlyIfChanged],
});
