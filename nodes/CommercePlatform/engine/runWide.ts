import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import type { Operation } from './operation';

/** Options of batches that are read of the first item, and their display names. */
const OF_BATCHES: Readonly<Record<string, string>> = {
	batchSize: 'Batch Size',
	dryRun: 'Dry Run',
	ifBatchNotAvailable: 'If Batch Is Not Available',
	onlyIfChanged: 'Only If Changed',
	waitForJob: 'Wait for the Job (Minutes)',
};

/** What is compared is looked up once, before the first write. */
const OF_COMPARING: typeof OF_BATCHES = { onlyIfChanged: 'Only If Changed' };

/**
 * Refuses an item with another value of an option that counts for the whole run. Only an expression can give one, and
 * what such an item asks for would be left out in silence, a dry run for example.
 *
 * @param first the options of the first item
 * @param options of this item
 * @throws InputError
 */
export function checkRunWide(operation: Operation, first: IDataObject, options: IDataObject): void {
	for (const [name, field] of Object.entries(runWide(operation))) {
		if (options[name] === first[name]) continue;
		throw new InputError(
			field,
			'is not the same for all items',
			'It counts for the whole run. Choose one value, or send the items apart by two nodes behind an If node.',
		);
	}
}

function runWide(operation: Operation): typeof OF_BATCHES {
	if (operation.kind === 'all') return OF_BATCHES;
	return 'changes' in operation ? OF_COMPARING : {};
}
