import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { runOperation } from '../../support/engine/runNode';
import type { Outcome } from './exact';
import { put, type HostileField } from './fields';
import { catchRequests, operationIn, type CaughtRequest } from './wire';

const SET_PRICES = 'product.setPrices';

/** Options for the whole run are read from its first item, so each value needs its own run. */
const RUN_WIDE: ReadonlySet<string> = new Set([
	'keepDailyBudget',
	'keepMinuteBudget',
	'maxRequestsAtOnce',
	'maxRetryWait',
	'retryWrites',
]);

export const isRunWide = ({ field, path }: HostileField): boolean =>
	path[0] === 'requestOptions' && RUN_WIDE.has(field.name);

function needsOwnRun(field: HostileField): boolean {
	if (isRunWide(field)) return true;
	// Rows of one order are one parcel.
	if (field.field.name.startsWith('row')) return true;
	if (tellsNoRequest(field) || field.field.name === 'onlyIfChanged') return true;
	if (field.kind !== 'all') return false;
	if (field.operation === SET_PRICES) return true;
	const isImport = field.operation === 'product.importCatalog';
	// Items with the same SKU share an import job, and are one product of a batch.
	const { name } = field.field;
	return field.path[0] === 'options' || name === 'productJson' || (isImport && name !== 'jobBody');
}

/** Operations whose items do not tell their request without metadata: it is the last one of the run. */
const tellsNoRequest = ({ field, operation }: HostileField): boolean =>
	field.name === 'includeMetadata' && /\.(?:delete|recreate)$/.test(operation);

/** The outcomes of some values, and the number of writes. */
interface Outcomes {
	outcomes: Outcome[];
	writes: number;
}

/** Runs an operation, with a field set to each of some values. */
export async function outcomesOf(field: HostileField, values: unknown[]): Promise<Outcomes> {
	if (!needsOwnRun(field)) return await runWith(field, values);
	const all: Outcomes = { outcomes: [], writes: 0 };
	for (const value of values) {
		const { outcomes, writes } = await runWith(field, [value]);
		all.outcomes.push(...outcomes);
		all.writes += writes;
	}
	return all;
}

let runs = 0;

async function runWith(field: HostileField, values: unknown[]): Promise<Outcomes> {
	const caught = catchRequests(field.kind === 'all' && field.operation !== SET_PRICES);
	const isRow = field.parameters.specifyProduct === 'autoMapInputData';
	const { items, error } = await runOperation(field.operation, parametersOf(field), {
		items: values.map((value, at) => {
			// What 'Input Item' takes as a product, beside the field that is tried.
			const columns = isRow && { sku: `row-${at}`, price: '3' };
			return { value, own: `row-${at}`, ...columns } as IDataObject;
		}),
		onError: 'continueRegularOutput',
		executionId: `${field.operation} ${field.path.join('.')} ${++runs}`,
	});
	if (error !== undefined) throw error;
	const outcomes: Outcome[] = values.map(() => ({}));
	for (const item of items) {
		const paired = item.pairedItem as { item: number };
		outcomes[paired.item] = outcomeOf(field, item, caught);
	}
	const writes = caught.filter(({ places }) => places.get('method') !== 'GET').length;
	return { outcomes, writes };
}

function parametersOf({ field, kind, parameters, path }: HostileField): IDataObject {
	const entered = '={{ $json.value }}';
	const mode = typedMode(field);
	const value = mode === undefined ? entered : { __rl: true, mode, value: entered };
	// A request that fails here fails for good; the node must not retry it for two minutes.
	let all = put(parameters, ['requestOptions', 'maxRetryWait'], 0);
	all =
		kind === 'all'
			? put(all, ['options', 'batchSize'], 1)
			: put(all, ['requestOptions', 'includeMetadata'], true);
	return put(all, path, value);
}

/** The message of an error item. */
const messageOf = ({ error }: IDataObject): string => error as string;

function outcomeOf(
	field: HostileField,
	{ json }: INodeExecutionData,
	caught: CaughtRequest[],
): Outcome {
	if (json.dryRun === true) return { isShownOnly: true };
	// It reads before it writes, and its item shows what was written instead of the answer.
	if (field.operation === SET_PRICES)
		return json.error === undefined ? { request: caught.at(-1) } : { error: messageOf(json) };
	const { requestId } = (json._meta ?? {}) as { requestId?: string };
	if (json.error !== undefined) return { error: messageOf(json) };
	const latest = tellsNoRequest(field) ? caught.length - 1 : undefined;
	// In a batch only the products tell their request.
	const number = requestId ?? latest ?? ((json.caught ?? json.updated_at) as number | undefined);
	if (number === undefined) return {};
	const request = caught[Number(number)];
	const isOperation = field.kind === 'all' && field.field.name !== 'jobBody';
	return { request: isOperation ? operationIn(request) : request };
}

/** The mode of a resource locator in which a value is typed and sent unchanged. */
function typedMode({ type, modes = [] }: HostileField['field']): string | undefined {
	if (type !== 'resourceLocator') return undefined;
	return modes.some(({ name }) => name === 'id') ? 'id' : modes.at(-1)?.name;
}
