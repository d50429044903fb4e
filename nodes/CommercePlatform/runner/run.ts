import type { IDataObject } from 'n8n-workflow';

import { isTool, rawCredentialOf } from '../../shared/n8n';
import { createClient, inParallel } from '../../shared/rest/client';
import { InputError } from '../../shared/rest/errors';
import {
	checkHeaderValue,
	checkQueryLength,
	CREDENTIAL,
	encodeText,
	recordPathOf,
	type SendOptions,
	targetAndHeadersOf,
} from '../../shared/rest/request';
import { checkGuardIsSaid, decimalFormOf, type Field, type Item } from '../../shared/values/fields';
import { hasField, isObject, pick } from '../../shared/values/json';
import {
	boolean,
	oneOf,
	saysNothing,
	someText,
	textList,
	wholeNumber,
} from '../../shared/values/readers';
import { holdsExpression, type InputItems, itemReader, optionsIn, readChoices } from './inputItems';
import type { ListOperation, Operation, ReadItem, Resource } from './operation';
import { Report } from './report';
import { writesOf } from './writes';
import { rowWithMoney, withDecimals } from '../../shared/values/money';

/** What all items share that a run sends to one merchant. */
export type Run = ReturnType<typeof startRun>;

/**
 * Prepares a run over the items of a merchant. Options that count for the whole run are those of its first item.
 *
 * @throws CredentialError, InputError
 */
export function startRun(
	inputs: InputItems,
	resource: Resource,
	operation: Operation,
	{ credential, itemIndexes }: MerchantItems,
) {
	const { context, node } = inputs;
	const item = inputs.item(itemIndexes[0]);
	const { requestOptions } = operation;
	const chosen = item.parameter(requestOptions.name, {}) as IDataObject;
	const client = createClient(
		operation.service,
		context,
		credential,
		sendOptionsOf(requestOptions, chosen),
	);
	const { kind, option } = operation;
	const sharedValues = new Map<unknown, unknown>();
	let writes: ReturnType<typeof writesOf> | undefined;
	const sendsSeveral = kind === 'each' && operation.requests !== undefined;
	return {
		operation,
		/** Which of the input items. */
		itemIndexes,
		/** The first item's Options, as they were entered. */
		firstItemOptions: item.parameter('options', {}) as IDataObject,
		batching: batchingOf(chosen),
		client,
		/** Whether it changes anything on the platform. */
		isWrite: kind === 'all' || sendsSeveral || option.routing.request.method !== 'GET',
		/** Made when a write first asks for it: a run that only reads has none. */
		get writes() {
			return (writes ??= writesOf(
				inputs,
				`${resource.value}.${option.value}`,
				client.credentialId,
			));
		},
		report: new Report(context, client),
		/** See `Call`. */
		shared: <T>(make: (items: readonly Item[]) => T): T => {
			if (!sharedValues.has(make))
				sharedValues.set(make, make(itemIndexes.map((index) => inputs.item(index))));
			return sharedValues.get(make) as T;
		},
		/** Reads what an item's fields say. */
		read: itemReader(operation, node),
	};
}

/** The options that count for the whole run. The others are read for each item. */
const RUN_WIDE: readonly string[] = [
	'keepDailyBudget',
	'keepMinuteBudget',
	'maxRequestsAtOnce',
	'maxRetryWait',
	'retryWrites',
];

/**
 * The user's choices for how requests are sent. Undefined values are left out, since they would replace the defaults.
 *
 * @param chosen what was entered under Request Options: n8n's own options, and ours
 * @throws InputError
 */
function sendOptionsOf(requestOptions: Field, chosen: IDataObject): Partial<SendOptions> {
	const fields = optionsIn(requestOptions).filter(({ name }) => RUN_WIDE.includes(name));
	const choices = readChoices(fields, chosen);
	const { maxRetryWait } = choices;
	const options = {
		maxInFlight: choices.maxRequestsAtOnce,
		maxWaitMs: maxRetryWait === undefined ? undefined : Number(maxRetryWait) * 1000,
		keepDailyBudgetPercent: choices.keepDailyBudget,
		keepMinuteBudgetPercent: choices.keepMinuteBudget,
		retryWrites: choices.retryWrites,
		timeoutMs: chosen.timeout ? wholeNumber('Timeout', chosen.timeout, 1) : undefined,
		skipSslCertificateValidation: chosen.allowUnauthorizedCerts === true || undefined,
		proxy: (chosen.proxy ?? '') === '' ? undefined : proxyOf(chosen.proxy),
	};
	return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** n8n's own batching setting: how many items start together, and the pause between two such batches in ms. */
function batchingOf({ batching }: IDataObject) {
	const { batch = {} } = (batching ?? {}) as { batch?: IDataObject };
	const size = Number(batch.batchSize ?? 0);
	const intervalMs = Number(batch.batchInterval ?? 0);
	return { size: size > 0 ? size : 1, intervalMs: intervalMs > 0 ? intervalMs : 0 };
}

/** The schemes that n8n supports for a proxy, with their ports. n8n silently ignores a proxy with any other scheme. */
const DEFAULT_PORTS: Partial<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * Reads the proxy of n8n's Request Options. A proxy that cannot be used is an error: without it the request, and the
 * API key, would go out directly.
 *
 * @param entered e.g. `http://name:password@proxy.example:3128`; name and password in percent-encoding
 * @throws InputError; it does not quote the address, which may hold a password
 */
function proxyOf(entered: unknown): SendOptions['proxy'] {
	const url = typeof entered === 'string' && URL.canParse(entered) ? new URL(entered) : undefined;
	const defaultPort = DEFAULT_PORTS[url?.protocol ?? ''];
	const username = decoded(url?.username);
	const password = decoded(url?.password);
	if (!url || !defaultPort || username === undefined || password === undefined)
		throw new InputError(
			'Proxy',
			'must be a web address that starts with http:// or https://',
			'Enter it like http://name:password@proxy.example:3128, with %25 for a percent sign. Nothing was sent.',
		);
	return {
		host: url.hostname,
		port: Number(url.port || defaultPort),
		protocol: url.protocol.replace(':', ''),
		...(username === '' ? {} : { auth: { username, password } }),
	};
}

/**
 * Decodes the user name or password of a proxy's address. n8n puts it into an address again and escapes everything but
 * %, so % stays escaped.
 *
 * @returns undefined if a % in it begins no valid escape
 */
function decoded(part = ''): string | undefined {
	try {
		return decodeURIComponent(part).replaceAll('%', '%25');
	} catch {
		return undefined;
	}
}

/** Items of a run whose credential has the same address and key. They go to one merchant. */
interface MerchantItems {
	/** The credential as n8n has resolved it for these items. */
	credential: IDataObject;
	/** In input order. */
	itemIndexes: number[];
}

/** How many credentials n8n is asked for at once. Each one is a query of its database. */
const CREDENTIALS_AT_ONCE = 20;

/**
 * Groups the items of a run by merchant. A credential's fields can be expressions, which n8n resolves for each item. So
 * the items of one run may go to several shops.
 *
 * @param failed receives an item whose credential cannot be read
 * @returns groups in the order of their first items
 */
export async function itemsByMerchant(
	inputs: InputItems,
	failed: (itemIndex: number, error: unknown) => void,
): Promise<MerchantItems[]> {
	const { first, total } = inputs;
	const itemIndexes = Array.from({ length: total }, (_, offset) => first + offset);
	const shared = total > 2 ? await sharedCredential(inputs) : undefined;
	if (shared !== undefined) return [{ credential: shared, itemIndexes }];
	const credentials = new Map<number, IDataObject>();
	await inParallel(itemIndexes, CREDENTIALS_AT_ONCE, async (itemIndex) => {
		try {
			credentials.set(itemIndex, await credentialOf(inputs, itemIndex));
		} catch (error) {
			failed(itemIndex, error);
		}
	});
	const merchants = new Map<string, MerchantItems>();
	for (const itemIndex of itemIndexes) {
		const credential = credentials.get(itemIndex);
		if (credential === undefined) continue;
		const merchantKey = keyOf(credential);
		const merchant = merchants.get(merchantKey) ?? { credential, itemIndexes: [] };
		merchant.itemIndexes.push(itemIndex);
		merchants.set(merchantKey, merchant);
	}
	return [...merchants.values()];
}

const keyOf = ({ baseUrl, apiKey }: IDataObject): string => JSON.stringify([baseUrl, apiKey]);

const credentialOf = async ({ context }: InputItems, itemIndex: number): Promise<IDataObject> =>
	await ('getItemIndex' in context
		? context.getCredentials<IDataObject>(CREDENTIAL)
		: context.getCredentials<IDataObject>(CREDENTIAL, itemIndex));

/**
 * The credential of all items, if it holds no expression, and n8n resolves it to what was entered.
 *
 * @returns undefined if it may differ between items, or cannot be read
 */
async function sharedCredential(inputs: InputItems): Promise<IDataObject | undefined> {
	const { context, node, first, total } = inputs;
	const entered = await rawCredentialOf(context, CREDENTIAL);
	if (!isObject(entered) || holdsExpression([entered, node.credentials])) return undefined;
	try {
		const credential = await credentialOf(inputs, first);
		const last = await credentialOf(inputs, first + total - 1);
		const isShared = [credential, last].every((each) => keyOf(each) === keyOf(entered));
		return isShared ? credential : undefined;
	} catch {
		return undefined;
	}
}

/** An item's request, with everything that is known before anything is sent. */
export type ItemRequest = ReturnType<typeof itemRequestOf>;

/**
 * Reads and checks everything that an item asks for. Sends nothing.
 *
 * @throws InputError that names the field
 */
export function itemRequestOf(run: Run, item: Item) {
	const { operation, isWrite } = run;
	const readItem = run.read(item);
	const { options } = item;
	checkRunWide(operation, run.firstItemOptions, item);
	// An operation that handles all items together makes its own requests.
	const isPerItem = operation.kind !== 'all';
	if (isPerItem) takeOptions(run, readItem);
	operation.check?.(readItem);
	if (isWrite) operation.cells.checkNames(readItem.fields);
	const list = operation.kind === 'list' ? listOptionsOf(operation, readItem) : undefined;
	return {
		...readItem,
		/** How many records a list gives, and in which form. */
		list,
		/** Brings a record into the form that the user wants. */
		shape: shapeOf(run, item, list?.output),
		/** Whether to show what would be sent, instead of sending it. */
		dryRun: options.dryRun === true && isWrite,
		/** What it writes to. */
		targets: isWrite && isPerItem ? itemTargets(operation, run.client.credentialId, readItem) : [],
	};
}

/**
 * Completes an item's request, for operations that do so. It may read the platform.
 *
 * @throws InputError, PlatformError, CancelledError
 */
export async function completed(
	{ operation, client }: Run,
	itemRequest: ItemRequest,
): Promise<ItemRequest> {
	if (operation.complete === undefined) return itemRequest;
	const fields = await operation.complete(itemRequest, client);
	const { request } = itemRequest;
	const body = request.body === undefined ? undefined : fields;
	return { ...itemRequest, fields, request: { ...request, body } };
}

/** Adds to an item's request what its options say, and checks it. */
function takeOptions(run: Run, { item, request }: ReadItem): void {
	const { ifNoneMatch, idempotencyKey } = item.options;
	const isRead = request.method === 'GET';
	if (ifNoneMatch !== undefined && isRead)
		request.headers = {
			...request.headers,
			'If-None-Match': checkHeaderValue('Known ETag', ifNoneMatch),
		};
	const keyInField = request.headers?.['Idempotency-Key'];
	const field = run.operation.fields.find(({ send }) => send?.as === 'Idempotency-Key');
	const label = (keyInField === undefined ? undefined : field?.displayName) ?? 'Idempotency Key';
	const key = keyInField ?? (isRead ? undefined : idempotencyKey);
	if (key === undefined && !isRead)
		checkGuardIsSaid(label, item, `${run.operation.requestOptions.name}.idempotencyKey`);
	if (key !== undefined)
		request.idempotencyKey = run.writes.ownKey(item.itemIndex, label, key, request);
	targetAndHeadersOf(request);
}

/**
 * Makes the function that brings a record into the user's form: Simplify, decimals beside amounts, Selected Fields. A
 * write gives decimals as well, unless amounts were entered in minor units.
 */
function shapeOf(
	{ operation, isWrite, report }: Run,
	item: Item,
	output = 'records',
): (record: IDataObject) => IDataObject {
	const makesRows =
		operation.kind === 'all' ? operation.makesRows : output !== 'records' && output !== 'pages';
	const { isShort, selectedNames } = isWrite ? shortWrite(item) : wantedOf(item);
	const simplifyRecord = 'simplify' in operation ? operation.simplify : undefined;
	const shorten = isShort && !makesRows && simplifyRecord ? shortener(simplifyRecord) : undefined;
	const isEnteredInMajor = isWrite && item.options.amountsAreIn !== 'minor';
	const decimalForm = decimalFormOf(
		item.options,
		shorten || makesRows || isEnteredInMajor ? 'number' : 'off',
	);
	const withForm = (record: IDataObject): IDataObject =>
		makesRows ? rowWithMoney(record, decimalForm) : withDecimals(record, decimalForm);
	return (record) => {
		const shaped = withForm(shorten === undefined ? record : shorten(record));
		if (selectedNames.length === 0) return shaped;
		const { fields, missing } = selectedOf(withForm(record), shaped, selectedNames);
		report.selects(selectedNames, missing);
		// A model sees no hint.
		return isTool(item.node) && missing.length > 0 ? { ...fields, missingFields: missing } : fields;
	};
}

/** Writes of one record are simplified, unless the user wants the whole record. */
const shortWrite = (item: Item) => ({
	isShort: item.options.wholeRecord !== true,
	selectedNames: [],
});

/** What the node adds to a record that was left as it is. */
const MARKS = ['skipped', 'transitionSkipped'];

/** Shortens records. What the node made itself stays: a dry run's row, and the success of a write without an answer. */
const shortener = (simplify: (record: IDataObject) => IDataObject) => (record: IDataObject) =>
	record.dryRun === true || record.success === true
		? record
		: { ...simplify(record), ...pick(record, MARKS) };

/**
 * Which fields of a record a read gives: a node has Simplify, and an AI tool the field Output.
 *
 * @throws InputError
 */
function wantedOf(item: Item): { isShort: boolean; selectedNames: string[] } {
	const { selectedFields } = item.options;
	const output = isTool(item.node) ? item.parameter('output', '') : '';
	if (saysNothing(output))
		return {
			isShort: switchedOn(item, 'simplify', 'Simplify'),
			selectedNames: textList('Selected Fields', selectedFields),
		};
	const chosen = oneOf('Output', output, ['raw', 'selectedFields', 'simplified']);
	const selectedNames =
		chosen === 'selectedFields'
			? textList('Fields', someText('Fields', item.parameter('selectedFields', '')))
			: textList('Selected Fields', selectedFields);
	return { isShort: chosen === 'simplified', selectedNames };
}

/** Whether a switch is on. An expression without a value leaves it off. */
const switchedOn = (item: Item, name: string, field: string): boolean =>
	boolean(field, item.parameter(name, false) ?? false);

/**
 * How many records a list gives, and in which form.
 *
 * @throws InputError
 */
function listOptionsOf(operation: ListOperation, { item, request }: ReadItem) {
	const { output, pageSize, startCursor } = item.options;
	const limit = switchedOn(item, 'returnAll', 'Return All')
		? undefined
		: wholeNumber('Limit', item.parameter('limit', 50), 1);
	if (startCursor !== undefined)
		checkQueryLength('Start Cursor', encodeText('Start Cursor', startCursor));
	const usesCursor = startCursor !== undefined || output === 'pages';
	const keepsSort = operation.newestFirst !== true || request.query?.sort !== undefined;
	return {
		/** What an output item is: a record, a page, or another form that the list offers. */
		output: output ?? 'records',
		limit,
		startCursor,
		/** How many records a page holds. */
		pageSize,
		/**
		 * With a Limit, and without a sort, the newest records are meant. Return All keeps the platform's order. So does a
		 * list that takes or gives a cursor: a cursor belongs to the sort of its walk (API document, "Pagination rules",
		 * 3), and the user would not see that sort.
		 */
		newestFirst: limit !== undefined && !keepsSort && !usesCursor,
	};
}

/**
 * Refuses an item whose value differs from the first item's, for options that count for the whole run: those of an
 * operation that handles all items together, and Only If Changed, which compares before the first write. Only an
 * expression can give another value, and it would be ignored silently: a dry run, for example.
 *
 * @param firstChosen the first item's Options
 * @throws InputError
 */
function checkRunWide({ kind, fields }: Operation, firstChosen: IDataObject, item: Item): void {
	const options = optionsIn(fields.find(({ name }) => name === 'options'));
	const runWide = options.filter(({ name }) => kind === 'all' || name === 'onlyIfChanged');
	if (runWide.length === 0) return;
	const chosen = item.parameter('options', {}) as IDataObject;
	const differing = runWide.find(({ name }) => chosen[name] !== firstChosen[name]);
	if (differing === undefined) return;
	throw new InputError(
		differing.displayName,
		'is not the same for all items',
		'It counts for the whole run. Choose one value, or send the items through two nodes after an If node.',
	);
}

/**
 * What a write changes, as far as it is known before anything is sent. Writes to one target go one after the other. A
 * record that is not looked up yet is named by what the user entered, which never equals an ID.
 */
function itemTargets(operation: Operation, credentialId: string, readItem: ReadItem): string[] {
	const target = operation.target?.(readItem) ?? recordPathOf(readItem.request);
	if (target === undefined) return [];
	const isNamed = operation.fields.some(
		({ name }) =>
			readItem.request.pathParams?.[name] !== undefined &&
			readItem.item.lookUpMode(name) !== undefined,
	);
	return [`${credentialId} ${isNamed ? `look-up ${lettersAndDigits(target)}` : target}`];
}

/** Reduces a name to its letters and digits, since `#1041` and `1041` may be one record. */
const lettersAndDigits = (target: string): string =>
	decodeURIComponent(target)
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Takes fields of a record by their names. A name may lead into objects and lists by dots: `customer.email`.
 *
 * @param record as the platform gave it
 * @param shortened the same record by Simplify; it may have names of its own
 * @returns the fields in the form of the record, and the names that it lacks
 */
function selectedOf(
	record: IDataObject,
	shortened: IDataObject,
	names: readonly string[],
): { fields: IDataObject; missing: string[] } {
	let fields: unknown = {};
	const missing: string[] = [];
	for (const name of names) {
		const sources = hasField(record, name) ? [record] : [shortened, record];
		const source = sources.find((each) => hasField(each, name));
		const part = source === undefined ? partAt(record, name.split('.')) : { [name]: source[name] };
		if (part === undefined) missing.push(name);
		else fields = joined(fields, part);
	}
	return { fields: fields as IDataObject, missing };
}

/** The part of a value that a path leads to, with what is around it; undefined if there is none. */
function partAt(value: unknown, [name, ...rest]: string[]): unknown {
	if (name === undefined) return value;
	if (Array.isArray(value)) {
		const parts = value.map((entry) => partAt(entry, [name, ...rest]));
		return parts.every((part) => part === undefined) ? undefined : parts.map((part) => part ?? {});
	}
	if (!isObject(value) || !hasField(value, name)) return undefined;
	const part = partAt(value[name], rest);
	return part === undefined ? undefined : { [name]: part };
}

/** Joins two parts of one value. */
function joined(a: unknown, b: unknown): unknown {
	if (Array.isArray(a) && Array.isArray(b)) return a.map((entry, index) => joined(entry, b[index]));
	if (!isObject(a) || !isObject(b)) return b;
	const fields: IDataObject = { ...a };
	for (const [name, part] of Object.entries(b))
		fields[name] = (hasField(a, name) ? joined(a[name], part) : part) as IDataObject[string];
	return fields;
}
