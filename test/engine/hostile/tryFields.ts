import { GOOD, judgeValue, type Harmless } from './exact';
import { FIRST_CASES } from '../operations/cases';
import { hostileFieldsOf, type HostileField } from './fields';
import { isRunWide, outcomesOf } from './outcomes';
import { HOSTILE_VALUES, sampleOf, type HostileValue } from './values';
import type { Places } from './wire';

const fields = FIRST_CASES.flatMap(hostileFieldsOf);

/**
 * HOSTILE_VALUES=every tries every value in each field; without it each field gets a fixed sample of every kind.
 * HOSTILE_FIELDS=all tries a field that several operations share in each of them; without it in one of them.
 */
const isEveryValue = process.env.HOSTILE_VALUES === 'every';
const fieldsToTry =
	process.env.HOSTILE_FIELDS === 'all'
		? fields
		: [...new Map(fields.map((field) => [sharedKeyOf(field), field])).values()];

/**
 * Fields with the same key behave the same in every operation. Each operation may have its own copy of a field, so the
 * key is made from its description. Filters of different resources have different keys.
 */
function sharedKeyOf(hostileField: HostileField): string {
	const { field, kind, operation, path } = hostileField;
	const resource = path[0] === 'filters' ? operation.split('.')[0] : '';
	const isShared =
		['filters', 'requestOptions'].includes(String(path[0])) ||
		(path[0] === 'options' && kind !== 'all');
	return isShared || isRunWide(hostileField)
		? `${resource} ${path.join('.')} ${JSON.stringify(field)}`
		: ownKeyOf(hostileField);
}

function ownKeyOf({ operation, path, parameters }: HostileField): string {
	return `${operation} ${path.join('.')} ${JSON.stringify(parameters)}`;
}

/** A field with a new description gets another sample. */
const valuesFor = (hostileField: HostileField): HostileValue[] =>
	isEveryValue
		? HOSTILE_VALUES
		: sampleOf(`${ownKeyOf(hostileField)} ${JSON.stringify(hostileField.field)}`);

const counts = { refused: 0, arrived: 0, 'said nothing': 0, 'not on the wire': 0, changed: 0 };

/** Two valid values for a field, by its name or type. */
function harmlessValues({ field, path, parameters }: HostileField): [unknown, unknown] {
	const byName: Record<string, [unknown, unknown]> = {
		amount: ['3', '4'],
		batchSize: [1, 1],
		carrier: ['one', 'two'],
		clearFields: [[], []],
		currency: ['EUR', 'USD'],
		direction: ['asc', 'desc'],
		dryRun: [false, false],
		events: [['order.paid'], ['order.created']],
		field: ['updated_at', 'title'],
		idempotencyKey: ['key-1', 'key-2'],
		ifMatch: ['"1"', '"2"'],
		itemsJson: ['[{"line_item_id":"li_1","quantity":1}]', '[{"line_item_id":"li_2","quantity":1}]'],
		name: ['b', 'c'],
		price: ['3', '4'],
		productJson: ['{"sku":"A","s":1}', '{"sku":"A","s":2}'],
		otherEvents: ['x.one', 'x.two'],
		status: ['draft', 'published'],
		includeMetadata: [true, true],
		type: ['string', 'string'],
		rowLine: ['li_1', 'li_2'],
		rowQuantity: [3, 4],
		url: ['https://one.example/x', 'https://two.example/x'],
		variantsJson: ['[{"sku":"S1"}]', '[{"sku":"S2"}]'],
	};
	const byType: Record<string, [unknown, unknown]> = {
		boolean: [true, false],
		dateTime: ['2031-01-01T00:00:00Z', '2032-01-01T00:00:00Z'],
		json:
			parameters.extent === 'fields'
				? ['{"s":1,"items":["li_1"]}', '{"s":2,"items":["li_1"]}']
				: ['{"s":1}', '{"s":2}'],
		multiOptions: [['cat_1'], ['cat_2']],
		number: [3, 4],
		options: [undefined, undefined],
	};
	if (path.at(-1) === 'value') {
		const type = JSON.stringify(parameters).match(/"type":"(\w+)","value"/)?.[1] ?? 'string';
		return byType[type] ?? ['one', 'two'];
	}
	return byName[field.name] ?? byType[field.type] ?? ['one', 'two'];
}

async function harmlessOf(field: HostileField): Promise<Harmless & { writes: number }> {
	const {
		outcomes: [one, two],
		writes,
	} = await outcomesOf(field, harmlessValues(field));
	if (one.request === undefined || two.request === undefined)
		throw new Error(`no harmless value: ${String(one.error ?? two.error)}`);
	const places = (request: { places: Places }) => request.places;
	return { one: places(one.request), two: places(two.request), writes: writes / 2 };
}

/**
 * Tries hostile values in each field of some resources' operations: refused by name, or sent as they are.
 *
 * @param isTried which resources
 */
export function tryFieldsOf(isTried: (resource: string) => boolean): void {
	const tried = fieldsToTry.filter(({ operation }) => isTried(operation.split('.')[0]));

	afterAll(() => {
		const cases = Object.values(counts).reduce((sum, count) => sum + count, 0);
		process.stdout.write(
			`hostile values: ${cases} cases over ${tried.length} fields: ${JSON.stringify(counts)}\n`,
		);
	});

	it.each(tried.map((field) => [field.operation, field.path.join('.'), field] as const))(
		'%s: %s refuses a hostile value by name, or sends it as it is',
		async (_operation, _path, field) => await tryField(field),
	);
}

async function tryField(field: HostileField): Promise<void> {
	const harmless = await harmlessOf(field);
	const namedValues = valuesFor(field);
	const values = namedValues.map(([, value]) => value);
	const { outcomes, writes } = await outcomesOf(field, values);
	const faults: string[] = [];
	for (const [place, [name, value]] of namedValues.entries()) {
		const verdict = judgeValue(field, value, outcomes[place], harmless);
		const good = GOOD.find((outcome) => outcome === verdict);
		counts[good ?? 'changed']++;
		if (good === undefined) faults.push(`${name}: ${verdict}`);
	}
	expect(faults).toEqual([]);
	const taken = outcomes.filter(({ error }) => error === undefined);
	expect(writes).toBeLessThanOrEqual(taken.length * harmless.writes);
}
