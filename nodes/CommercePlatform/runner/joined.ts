import { nextTurn } from '../../shared/rest/clock';
import { InputError } from '../../shared/rest/errors';
import type { Item } from '../../shared/values/fields';
import { isSame } from '../../shared/values/json';
import { addTo } from '../../shared/values/maps';
import { errorOf } from './each';
import { type InputItems, type ItemRequest, nameOfRow, optionsIn, ownOptions } from './items';
import type { EachOperation, Run } from './operation';
import type { Results } from './results';
import type { Series } from './schedule';

/** An input item that is a row of a write, with its request if it could be read. */
interface JoinedRow {
	item: Item;
	itemRequest?: ItemRequest;
}

/**
 * Makes one request of the items that are rows of one write: the first row's, which stands for all of them. All are
 * read before the first one is given, so that a row that cannot be used keeps back its whole write. The requests of
 * other items go through.
 */
export async function* joinRows(
	run: Run,
	operation: EachOperation,
	itemRequests: Series<ItemRequest>,
	inputs: InputItems,
	results: Results,
): AsyncGenerator<ItemRequest, void, void> {
	const rowsRead = new Map<number, ItemRequest>();
	for await (const itemRequest of itemRequests) {
		if (nameOfRow(operation, itemRequest.item) === undefined) yield itemRequest;
		else rowsRead.set(itemRequest.item.itemIndex, itemRequest);
	}
	// The error of a row that could not be read says more than that of the others.
	if (rowsRead.size === 0 || results.stopped) return;
	const rowsByName = new Map<string | number, JoinedRow[]>();
	for (const itemIndex of run.itemIndexes) {
		await nextTurn();
		if (run.writes.outputOfEarlierTry(itemIndex) !== undefined) continue;
		const itemRequest = rowsRead.get(itemIndex);
		const item = itemRequest?.item ?? inputs.item(itemIndex);
		// What may have been applied is sent again as it was, whatever its rows say now.
		const name = run.writes.togetherBefore(itemIndex) ?? nameOfRow(operation, item);
		if (name !== undefined) addTo(rowsByName, name, { item, itemRequest });
	}
	for (const rows of rowsByName.values()) {
		await nextTurn();
		const joined = joinedRequest(run, operation, rows, results);
		if (joined !== undefined) yield joined;
	}
}

/** @returns undefined if the rows failed, since one of them cannot be used or they contradict each other */
function joinedRequest(
	run: Run,
	operation: EachOperation,
	rows: readonly JoinedRow[],
	results: Results,
): ItemRequest | undefined {
	const readRows = rows.flatMap(({ itemRequest }) => itemRequest ?? []);
	if (readRows.length === 0) return undefined;
	const [first] = readRows;
	try {
		checkRows(run, operation, rows);
		return { ...first, rows: readRows.map(({ item }) => item) };
	} catch (error) {
		const itemIndexes = readRows.map(({ item }) => item.itemIndex);
		results.failed(itemIndexes, errorOf(run, itemIndexes, error));
		return undefined;
	}
}

/** @throws InputError that names the row which cannot be used, or says something else than the first one */
function checkRows(
	{ api, writes }: Run,
	operation: EachOperation,
	rows: readonly JoinedRow[],
): void {
	const noun = operation.madeOfRows ?? '';
	const unusable = rows.find(({ itemRequest }) => itemRequest === undefined);
	if (unusable !== undefined)
		throw new InputError(
			`Row ${unusable.item.row}`,
			`of this ${noun} cannot be used, so nothing of the ${noun} was sent`,
			'Correct that row, or remove it.',
		);
	const [first, ...others] = rows.flatMap(({ itemRequest }) => itemRequest ?? []);
	if (writes.earlierRequest(first.item.itemIndex) !== undefined) return;
	const fields = [...operation.fields, ...ownOptions(operation), ...optionsIn(api.requestOptions)];
	for (const { displayName, name, send, default: byDefault } of fields) {
		// The first row's key is that of the one write.
		if (name === 'idempotencyKey') continue;
		const said = (row: ItemRequest): unknown =>
			send?.as === undefined
				? ((row.item.options as Record<string, unknown>)[name] ?? byDefault)
				: row.fields[send.as];
		// A row that leaves it blank says nothing else.
		const saysOther = (row: ItemRequest) =>
			said(row) !== undefined && !isSame(said(row), said(first));
		const differing = others.find(saysOther);
		if (differing !== undefined)
			throw new InputError(
				`Row ${differing.item.row}`,
				`has another “${displayName}” of the ${noun} than row ${first.item.row}`,
				`Nothing of the ${noun} was sent. Enter the same in all its rows.`,
			);
	}
}
