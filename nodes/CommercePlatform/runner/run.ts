import { type IDataObject, type INode, NodeHelpers } from 'n8n-workflow';

import { isTool } from '../../shared/n8n';
import { createClient } from '../../shared/rest/client';
import { nextTurn } from '../../shared/rest/clock';
import { InputError } from '../../shared/rest/errors';
import {
	checkHeaderValue,
	checkQueryLength,
	encodeText,
	placeholders,
	type PlatformRequest,
	proxyOf,
	type QueryValue,
	recordPathOf,
	type SendOptions,
	targetAndHeadersOf,
} from '../../shared/rest/request';
import {
	checkGuardIsSaid,
	decimalFormOf,
	type Field,
	type Item,
	type Send,
} from '../../shared/values/fields';
import { hasField, isObject, partsOf, pick } from '../../shared/values/json';
import { moneyToSend, rowWithMoney, withDecimals } from '../../shared/values/money';
import {
	boolean,
	oneOf,
	saysNothing,
	someText,
	text,
	textList,
	wholeNumber,
} from '../../shared/values/readers';
import {
	choiceOf,
	holdsExpression,
	type InputItems,
	optionsIn,
	ownOptions,
	readChoices,
} from './items';
import { namedOtherwise } from './lookup';
import type { Api, ListOperation, Operation, ReadItem, Resource } from './operation';
import { Report } from './report';
import type { Results } from './results';
import { writesOf } from './writes';

/** Items of a run whose credential has the same address and key. They go to one merchant. */
export interface MerchantItems {
	/** The credential as n8n has resolved it for these items. */
	credential: IDataObject;
	/** In input order. */
	itemIndexes: number[];
}

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
	const { api, context, node } = inputs;
	const item = inputs.item(itemIndexes[0]);
	const { requestOptions, service } = api;
	const chosen = item.parameter(requestOptions.name, {}) as IDataObject;
	const client = createClient(service, context, credential, sendOptionsOf(requestOptions, chosen));
	const { kind, option } = operation;
	const sharedValues = new Map<unknown, unknown>();
	let writes: ReturnType<typeof writesOf> | undefined;
	const sendsSeveral = kind === 'each' && operation.requests !== undefined;
	return {
		api,
		operation,
		/** Which of the input items. */
		itemIndexes,
		/** Options that count for the whole run, if an expression could give another value for an item. */
		sharedOptions: inputs.isSame('options')
			? []
			: ownOptions(operation).filter(({ name }) => kind === 'all' || name === 'onlyIfChanged'),
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
		read: itemReader(api, operation, node),
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

/**
 * Yields the items' requests in input order, each made when it is asked for. Items that cannot be read fail here. Those
 * that an earlier try has done are done, whatever their expressions say now. A long reading lets n8n go on now and then.
 */
export async function* readItems(
	run: Run,
	inputs: InputItems,
	results: Results,
): AsyncGenerator<ItemRequest, void, void> {
	const sendsEach = run.isWrite && run.operation.kind !== 'all';
	for (const itemIndex of run.itemIndexes) {
		await nextTurn();
		const doneBefore = sendsEach ? run.writes.outputOfEarlierTry(itemIndex) : undefined;
		if (doneBefore !== undefined) {
			results.done(itemIndex, doneBefore);
			continue;
		}
		let itemRequest: ItemRequest;
		try {
			itemRequest = await completed(run, itemRequestOf(run, inputs.item(itemIndex)));
		} catch (error) {
			results.failed([itemIndex], errorOf(run, itemIndex, error));
			continue;
		}
		for (const target of itemRequest.overwrites)
			run.report.writesTo(target, { row: itemRequest.item.row, fields: itemRequest.fields });
		yield itemRequest;
	}
}

/**
 * Completes an item's request, for operations that do so. It may read the platform.
 *
 * @throws InputError, PlatformError, CancelledError
 */
async function completed(
	{ operation, client }: Run,
	itemRequest: ItemRequest,
): Promise<ItemRequest> {
	if (operation.complete === undefined) return itemRequest;
	const fields = await operation.complete(itemRequest, client);
	const { request } = itemRequest;
	const body = request.body === undefined ? undefined : fields;
	return { ...itemRequest, fields, request: { ...request, body } };
}

/** The error of an item that failed, with what earlier tries may have done. */
export const errorOf = (run: Run, itemIndex: number, error: unknown): unknown =>
	run.isWrite ? run.writes.afterFailure([itemIndex], error) : error;

/** An item's request, with everything that is known before anything is sent. */
export type ItemRequest = ReturnType<typeof itemRequestOf>;

/**
 * Reads and checks everything that an item asks for. Sends nothing.
 *
 * @throws InputError that names the field
 */
function itemRequestOf(run: Run, item: Item) {
	const { api, operation, isWrite } = run;
	const readItem = run.read(item);
	const { options } = item;
	checkRunWide(run, item);
	operation.check?.(readItem);
	// An operation that handles all items together makes its own requests.
	const isPerItem = operation.kind !== 'all';
	if (isPerItem) takeOptions(run, readItem);
	if (isWrite) api.cells.checkNames(readItem.fields);
	const list = operation.kind === 'list' ? listOptionsOf(operation, readItem) : undefined;
	const targets = isWrite && isPerItem ? itemTargets(run, readItem) : [];
	return {
		...readItem,
		/** How many records a list gives, and in which form. */
		list,
		/** Brings a record into the form that the user wants. */
		shape: shapeOf(run, item, list?.output),
		/** Whether to show what would be sent, instead of sending it. */
		dryRun: options.dryRun === true && isWrite,
		/** What it writes to. */
		targets,
		/** Where the later of two writes wins: PUT and PATCH overwrite. Other writes add up, like two refunds. */
		overwrites: ['PUT', 'PATCH'].includes(readItem.request.method) ? targets : [],
	};
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
		checkGuardIsSaid(label, item, `${run.api.requestOptions.name}.idempotencyKey`);
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
	const { isShort, selectedNames } = wantedOf(item, isWrite);
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
		const { fields, missing } = partsOf(withForm(record), shaped, selectedNames);
		report.selects(selectedNames, missing);
		// A model sees no hint.
		return isTool(item.node) && missing.length > 0 ? { ...fields, missingFields: missing } : fields;
	};
}

/** What the node adds to a record that was left as it is. */
const MARKS = ['skipped', 'transitionSkipped'];

/** Shortens records. What the node made itself stays: a dry run's row, and the success of a write without an answer. */
const shortener = (simplify: (record: IDataObject) => IDataObject) => (record: IDataObject) =>
	record.dryRun === true || record.success === true
		? record
		: { ...simplify(record), ...pick(record, MARKS) };

/**
 * Which fields of a record are given. A write has the option Whole Record, a read has Simplify, and as an AI tool the
 * field Output.
 *
 * @throws InputError
 */
function wantedOf(item: Item, isWrite: boolean): { isShort: boolean; selectedNames: string[] } {
	const { selectedFields, wholeRecord } = item.options;
	if (isWrite) return { isShort: wholeRecord !== true, selectedNames: [] };
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
 * @throws InputError
 */
function checkRunWide({ sharedOptions, firstItemOptions }: Run, item: Item): void {
	if (sharedOptions.length === 0) return;
	const chosen = item.parameter('options', {}) as IDataObject;
	const differing = sharedOptions.find(({ name }) => chosen[name] !== firstItemOptions[name]);
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
function itemTargets({ operation, client }: Run, readItem: ReadItem): string[] {
	const target = operation.target?.(readItem) ?? recordPathOf(readItem.request);
	if (target === undefined) return [];
	const isNamed = namedOtherwise(operation, readItem.item) !== undefined;
	return [`${client.credentialId} ${isNamed ? `look-up ${lettersAndDigits(target)}` : target}`];
}

/** Reduces a name to its letters and digits, since `#1041` and `1041` may be one record. */
const lettersAndDigits = (target: string): string =>
	decodeURIComponent(target)
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Makes the requests of an operation: method and path from its option, and what its fields say of their values
 * (`send`), also inside collections.
 *
 * @param node whose parameters decide which fields are shown; only those count
 * @returns a function that reads one input item, and throws an InputError that names the field
 */
function itemReader(api: Api, operation: Operation, node: INode): (item: Item) => ReadItem {
	const { fields: all } = operation;
	const shownFields = all.filter((field) =>
		NodeHelpers.displayParameter(node.parameters, field, node, null),
	);
	// Choices that are sent belong to the platform, which may know more of them than the list. n8n itself checks what is
	// no expression.
	const choices = all.filter(
		({ type, send, name }) =>
			type === 'options' && send?.as === undefined && holdsExpression(node.parameters[name]),
	);
	const read = (item: Item): ReadItem => {
		const sent: Sent = { body: {}, query: {}, headers: {} };
		for (const field of shownFields) readField(field, field.name, item, sent);
		// A choice that is not in its list would silently count as the default.
		for (const field of choices) choiceOf(field, item.parameter(field.name, field.default));
		const fields = moneyToSend(sent.body, api.service.mustBeMoney);
		return { item, fields, request: requestOf(api, operation, item, { ...sent, body: fields }) };
	};
	return (item) => {
		try {
			return read(item);
		} catch (error) {
			throw withOddColumns(api, error, item);
		}
	};
}

/** Explains an error about an empty field by the names of the row's columns, if these may be the reason. */
function withOddColumns({ cells }: Api, error: unknown, { json }: Item): unknown {
	if (!(error instanceof InputError) || !error.message.endsWith('is empty')) return error;
	const columns = cells.oddColumns(json);
	if (columns === undefined) return error;
	return new InputError(error.field, 'is empty', `${error.description} ${columns}`.trim());
}

function requestOf(
	{ cells }: Api,
	{ kind, option, fields }: Operation,
	item: Item,
	{ body, query, headers }: Sent,
): PlatformRequest {
	const { method, url } = option.routing.request;
	const pathParams: Record<string, string> = {};
	const pathLabels: Record<string, string> = {};
	// An operation that handles all items together finds its records itself.
	for (const name of kind === 'all' ? [] : placeholders(url)) {
		const label = fields.find((field) => field.name === name)?.displayName ?? name;
		const id = text(label, item.resourceId(name) ?? '');
		if (saysNothing(id))
			throw new InputError(
				label,
				'is empty',
				'Nothing was sent. Enter an ID, or an expression that returns one.',
			);
		if (item.lookUpMode(name) !== undefined) cells.checkName(label, id);
		pathLabels[name] = label;
		pathParams[name] = id;
	}
	const hasBody = method !== 'GET' && (method !== 'DELETE' || Object.keys(body).length > 0);
	return {
		method,
		path: url,
		pathParams,
		pathLabels,
		query: query as Record<string, QueryValue>,
		headers: headers as Record<string, string>,
		body: hasBody ? body : undefined,
	};
}

/** What the fields of an item give for each part of a request. */
type Sent = Record<Send['in'], IDataObject>;

/**
 * Reads a field that is sent, and those inside a collection that the user added.
 *
 * @param sent takes what is to be sent
 * @throws InputError that names the field
 */
function readField(field: Field, path: string, item: Item, sent: Sent): void {
	const { send, displayName, type } = field;
	if (send !== undefined) {
		const sentBefore = sent[send.in];
		const entered = item.parameter(path, field.default);
		const value = send.read(displayName, entered, item, sentBefore, path);
		// Object.assign would lose a field of the name `__proto__`.
		if (value !== undefined)
			sent[send.in] = { ...sentBefore, ...sentFields(displayName, send, value, sentBefore) };
	}
	if (type !== 'collection') return;
	const entered = item.parameter(path, {});
	if (!isObject(entered)) return;
	for (const option of optionsIn(field)) {
		if (option.name in entered) readField(option, `${path}.${option.name}`, item, sent);
	}
}

/** @throws InputError if another field has set the same already */
function sentFields(label: string, send: Send, value: unknown, sentBefore: IDataObject): object {
	const fields = send.as === undefined ? (value as object) : { [send.as]: value };
	for (const [name, sent] of Object.entries(fields) as Array<[string, unknown]>) {
		if (hasField(sentBefore, name)) throw new InputError(label, `sets “${name}” a second time`);
		if (send.in === 'query' && typeof sent === 'string')
			checkQueryLength(label, encodeText(label, `${name}=${sent}`));
	}
	return fields;
}
