import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../engine';
import { GOOD, judgeValue, type Harmless, type Outcome } from './exact';
import { hostileFields, put, type HostileField } from './fields';
import { HOSTILE_VALUES } from './values';
import { catchRequests, type Places } from './wire';

/** Operations of many items in one request are tried by their own tests. */
const fields = hostileFields().filter(({ kind }) => kind !== 'batch');

/**
 * The same field of several operations is tried in one of them, unless all are asked for: HOSTILE_FIELDS=all. What
 * an operation has of its own is always tried.
 */
const tried =
	process.env.HOSTILE_FIELDS === 'all'
		? fields
		: [...new Map(fields.map((one) => [sameAs(one), one])).values()];

function sameAs({ field, path, operation, parameters }: HostileField): unknown {
	if (path[0] !== 'options' && path[0] !== 'filters')
		return `${operation} ${path.join('.')} ${JSON.stringify(parameters)}`;
	return field;
}

const counts = { refused: 0, arrived: 0, 'said nothing': 0, 'not on the wire': 0 };

afterEach(() => nock.cleanAll());
afterAll(() => {
	const cases = Object.values(counts).reduce((sum, one) => sum + one, 0);
	process.stdout.write(
		`hostile values: ${cases} cases over ${tried.length} fields: ${JSON.stringify(counts)}, 0 changed\n`,
	);
});

/** Runs an operation with a field for each of some values. */
async function outcomesOf(field: HostileField, values: unknown[]): Promise<Outcome[]> {
	nock.cleanAll();
	const caught = catchRequests();
	const [resource, operation] = field.operation.split('.');
	const entered = '={{ $json.value }}';
	const value =
		field.field.type === 'resourceLocator' ? { __rl: true, mode: 'id', value: entered } : entered;
	const meta = put(field.parameters, ['options', 'includeMetadata'], true);
	const { items, error } = await runNode({
		parameters: { resource, operation, ...put(meta, field.path, value) },
		items: values.map((one) => ({ value: one }) as IDataObject),
		onError: 'continueRegularOutput',
		executionId: `${field.operation} ${field.path.join('.')}`,
	});
	if (error !== undefined) throw error;
	const outcomes: Outcome[] = values.map(() => ({}));
	for (const { json, pairedItem } of items) {
		const { item } = pairedItem as { item: number };
		const { requestId } = (json._meta ?? {}) as { requestId?: string };
		outcomes[item] =
			requestId === undefined
				? { error: String(json.error) }
				: { request: caught[Number(requestId)] };
	}
	return outcomes;
}

/** Two values that are right for a field, by its name or type. */
function harmlessValues({ field, path, parameters }: HostileField): [unknown, unknown] {
	const byName: Record<string, [unknown, unknown]> = {
		amount: ['3', '4'],
		carrier: ['one', 'two'],
		clearFields: [[], []],
		currency: ['EUR', 'USD'],
		direction: ['asc', 'desc'],
		events: [['order.paid'], ['order.created']],
		field: ['updated_at', 'title'],
		idempotencyKey: ['key-1', 'key-2'],
		ifMatch: ['"1"', '"2"'],
		itemsJson: ['[{"line_item_id":"li_1","quantity":1}]', '[{"line_item_id":"li_2","quantity":1}]'],
		name: ['b', 'c'],
		otherEvents: ['x.one', 'x.two'],
		status: ['draft', 'published'],
		type: ['string', 'json'],
		url: ['https://one.example/x', 'https://two.example/x'],
		variantsJson: ['[{"sku":"S1"}]', '[{"sku":"S2"}]'],
	};
	const byType: Record<string, [unknown, unknown]> = {
		boolean: [true, false],
		dateTime: ['2031-01-01T00:00:00Z', '2032-01-01T00:00:00Z'],
		json: ['{"s":1}', '{"s":2}'],
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

async function harmlessOf(field: HostileField): Promise<Harmless> {
	const [one, two] = await outcomesOf(field, harmlessValues(field));
	if (one.request === undefined || two.request === undefined)
		throw new Error(`no harmless value: ${String(one.error ?? two.error)}`);
	const places = (request: { places: Places }) => request.places;
	return { one: places(one.request), two: places(two.request) };
}

it.each(tried.map((field) => [field.operation, field.path.join('.'), field] as const))(
	'%s: %s refuses a hostile value by name, or sends it as it is',
	async (_operation, _path, field) => {
		const harmless = await harmlessOf(field);
		const values = HOSTILE_VALUES.map(([, value]) => value);
		const outcomes = await outcomesOf(field, values);
		const faults: string[] = [];
		for (const [at, [name, value]] of HOSTILE_VALUES.entries()) {
			const verdict = judgeValue(field, value, outcomes[at], harmless);
			const good = GOOD.find((one) => one === verdict);
			if (good === undefined) faults.push(`${name}: ${verdict}`);
			else counts[good]++;
		}
		expect(faults).toEqual([]);
	},
);
