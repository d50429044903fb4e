import { importCatalog as startImports, MAX_IMPORT_OPERATIONS } from '../../bulk/importCatalog';
import { numberField } from '../../fields/build';
import { all } from '../operation';
import { skuOfProduct, specifyProduct, WHOLE_BODY } from './specifyProduct';

/** The longest wait for a job, a day. Minutes. */
const LONGEST_WAIT_MINUTES = 1_440;

const jobSize = numberField(
	'Batch Size',
	'batchSize',
	'How many products one import job holds at most. Jobs are of about the same size, and as few as possible.',
	{ default: MAX_IMPORT_OPERATIONS, min: 1 },
);

const waitForJob = numberField(
	'Wait for the Job (Minutes)',
	'waitForJob',
	'How long to wait for each job to finish, asking every few seconds, each time a request; 0 does not wait',
	{ default: 10, min: 0, max: LONGEST_WAIT_MINUTES },
);

export const importCatalog = all({
	request: 'POST /jobs/catalog-import',
	name: 'Import Catalog',
	value: 'importCatalog',
	action: 'Import a catalog of products',
	description:
		'Start import jobs for all input items, meant for more than 1,000 products; returns the jobs',
	keyOf: skuOfProduct,
	run: async (call) => {
		const {
			batchSize: size = MAX_IMPORT_OPERATIONS,
			waitForJob: minutes = 0,
			dryRun,
		} = call.options;
		await startImports(call, {
			batchSize: size as number,
			wholeBodies: call.parameter('specifyProduct', '') === WHOLE_BODY,
			dryRun: dryRun === true,
			waitMs: Number(minutes) * 60_000,
		});
	},
	fields: [...specifyProduct(true)],
	options: [jobSize, waitForJob],
});
