import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/rest/errors';
import {
	choice,
	type Choices,
	collection,
	type Field,
	notice,
	numberField,
	simplify,
	textField,
	toggle,
} from '../../shared/values/fields';
import type { PlatformMethod } from '../../shared/rest/request';
import { nounOf, type ShopResource } from '../../shared/shop/resources';
import { filters, furtherQuery } from '../fields/filters';
import { chosenOrEntered, type TextMode } from '../fields/locator';
import type {
	AllOperation,
	EachOperation,
	ListOperation,
	Operation,
	ReadItem,
	RecordLocator,
	RecordName,
} from '../runner/operation';

/** A resource, and how one of its records is named. */
interface Records extends ShopResource {
	locator?: RecordLocator;
}

/** A mode in which users type a name, and how records with this name are recognized. */
type NameMode = TextMode & Pick<RecordName, 'keysOf'> & Partial<RecordName>;

/**
 * Describes records that users choose from a list, or name by their ID or by a name.
 *
 * @param example an ID as the platform writes it, e.g. `ord_1001`
 */
export function recordsOf(resource: ShopResource, example: string, ...nameModes: NameMode[]) {
	const { singular, plural, path, takesQuery } = resource;
	const noun = nounOf(resource);
	const displayName = noun.charAt(0).toUpperCase() + noun.slice(1);
	const names = new Map<string, RecordName>();
	const modes = nameModes.map(({ displayName: label, name, placeholder, hint, ...recognized }) => {
		names.set(name, {
			path,
			takesQuery,
			singular: noun,
			records: plural,
			called: /^[A-Z]+$/.test(label) ? label : label.toLowerCase(),
			comparable: (entered) => entered.trim(),
			...recognized,
		});
		return { displayName: label, name, placeholder, hint };
	});
	const field = chosenOrEntered(
		singular,
		`search${displayName}s`,
		[{ displayName: 'ID', name: 'id', placeholder: `e.g. ${example}` }, ...modes],
		{
			displayName,
			name: `${noun}Id`,
			required: true,
			description: `The ID of the ${noun}, e.g. ${example}`,
		},
	);
	return { ...resource, locator: { field, names } };
}

/** The text of a field, as a name. */
export const namedBy = (field: string) => (record: IDataObject) => {
	const { [field]: name } = record;
	return typeof name === 'string' ? [name.trim()] : [];
};

/** What a resource says about an operation of any kind. Everything else is derived from it. */
interface Described {
	/** Method and path as the API document writes them, e.g. `POST /orders/{orderId}/cancel`. */
	request: `${PlatformMethod} ${string}`;
	name: string;
	/** Saved workflows refer to the operation by this. */
	value: string;
	action: string;
	description: string;
	fields?: Field[];
	/** The operation's own options in the collection Options. Lists get some further ones. */
	options?: Field[];
}

/** What a resource says about an operation of one kind, with everything that it does besides its one request. */
type Description<O extends Operation> = Described & Omit<O, 'fields' | 'kind' | 'option'>;

/** Makes the option of the Operation list, with the request that it stands for. */
function optionOf({ request, name, value, action, description }: Described): Operation['option'] {
	const [method, url] = request.split(' ') as [PlatformMethod, string];
	return { name, value, action, description, routing: { request: { method, url } } };
}

/**
 * Marks an operation that the platform has announced but may not offer yet, in every text by which n8n lists it.
 */
const markedAsInDevelopment = <T extends Described>(described: T): T => ({
	...described,
	name: `${described.name} (In Development)`,
	action: `${described.action} (in development)`,
	description: `${described.description} (in development)`,
});

/**
 * Says in the panel that the platform may refuse the chosen operation. The list of operations says so too, but it is
 * closed by then.
 *
 * @param meanwhile what to use until it is released, as a sentence
 */
const developmentNotice = (meanwhile: string): Field =>
	notice('developmentNotice', `In development: the platform may refuse it. ${meanwhile}`);

/** The collection Options, if an operation has any. */
const optionsField = (options: Field[]): Field[] =>
	options.length === 0
		? []
		: [
				collection(
					'Options',
					'options',
					'Add Option',
					options,
					'What is sent and what is returned',
				),
			];

/** Makes an operation that handles each item by itself. */
export function each(described: Description<EachOperation>): EachOperation {
	const { fields = [], options = [], ...others } = described;
	const { inDevelopment, locator } = described;
	const option = optionOf(
		inDevelopment === undefined ? described : markedAsInDevelopment(described),
	);
	return {
		...others,
		option,
		kind: 'each',
		fields: [
			...(inDevelopment === undefined ? [] : [developmentNotice(inDevelopment)]),
			...(locator === undefined ? [] : [locator.field]),
			...fields,
			// What writes give is simplified without a switch of its own.
			...(others.simplify === undefined || !described.request.startsWith('GET') ? [] : [simplify]),
			...optionsField(options),
		],
	};
}

/** Makes an operation that handles all input items together. */
export function all(described: Description<AllOperation>): AllOperation {
	const { fields = [], options = [], ...others } = described;
	return {
		...others,
		option: optionOf(described),
		kind: 'all',
		fields: [...fields, ...optionsField(options)],
	};
}

/** @throws InputError if an update says nothing */
function checkChanges({ fields }: ReadItem): void {
	if (Object.keys(fields).length === 0)
		throw new InputError(
			'Update Fields',
			'holds nothing to change',
			'Nothing was sent. Add a field to update, or check the expression.',
		);
}

/** What a resource says besides of an operation that most resources have. */
type Besides = Partial<Description<EachOperation>>;

/** Makes a record of what is entered: `POST` of the resource's path. */
export const create = ({ singular, path, simplify: shorten }: Records, besides: Besides = {}) =>
	each({
		request: `POST ${path}`,
		...namesOf('create', 'Create', singular),
		description: `Create ${singular}`,
		simplify: shorten,
		...besides,
	});

/** Reads the record that the item names, or the one record that a resource has. */
export const getOne = (records: Records, besides: Besides = {}) =>
	each({
		...ofOneRecord('GET', records),
		...namesOf('get', 'Get', records.singular),
		description: `Get ${records.singular}`,
		simplify: records.simplify,
		...besides,
	});

/** Changes the fields that are entered, of the record that the item names. One that says nothing is refused. */
export const update = (records: Records, besides: Besides = {}) =>
	each({
		...ofOneRecord('PATCH', records),
		...namesOf('update', 'Update', records.singular),
		description: `Change fields of ${records.singular}; what is not entered stays as it is`,
		simplify: records.simplify,
		check: checkChanges,
		...besides,
	});

/** Deletes the record that the item names. One that is found by a name is confirmed first. */
export const remove = (records: Records, besides: Besides = {}) =>
	each({
		...ofOneRecord('DELETE', records),
		...namesOf('delete', 'Delete', records.singular),
		description: `Delete ${records.singular} permanently`,
		cannotBeUndone: true,
		...besides,
	});

const namesOf = (value: string, name: string, singular: string) => ({
	value,
	name,
	action: `${name} ${nounOf({ singular })}`,
});

const ofOneRecord = (method: PlatformMethod, { path, locator }: Records) => ({
	request: `${method} ${locator === undefined ? path : `${path}/{${locator.field.name}}`}` as const,
	locator,
});

/** How many records: Return All or Limit (API document, "Pagination rules"). */
const returnAll = toggle(
	'Return All',
	'returnAll',
	'Whether to return all results or only up to a given limit',
	{ default: false },
);

const limit = numberField('Limit', 'limit', 'Max number of results to return', {
	default: 50,
	min: 1,
	displayOptions: { show: { returnAll: [false] } },
});

/** What an output item of a list can be. */
const OUTPUTS: Choices = {
	pages: [
		'Pages',
		'One item per page, with data and pagination; for very long lists. Limit counts records here, too.',
	],
	records: ['Records', 'One item per record'],
};

const startCursor = textField(
	'Start Cursor',
	'startCursor',
	'The next_cursor of an earlier page, or the cursor of an error. Keep filters and sort as they were.',
	{ example: 'eyJwIjoxfQ' },
);

/**
 * The options of lists with query parameters: where to begin, further parameters, and the form of the items.
 *
 * @param outputs further choices of the option Output
 */
const walkOptions = (outputs: Choices): Field[] => [
	choice(
		'Output',
		'output',
		Object.fromEntries(Object.entries({ ...OUTPUTS, ...outputs }).sort()),
		'What each output item is',
		{ default: 'records' },
	),
	startCursor,
	furtherQuery,
];

/** Makes an operation that reads the list of a resource. Its fields are the filters. */
export function getMany(
	{ plural, path, filters: names, takesQuery, simplify: simplifyRecord }: ShopResource,
	described: Partial<Description<ListOperation>> & {
		filterTexts?: Parameters<typeof filters>[1];
		outputs?: Choices;
		sort?: Field;
	} = {},
): ListOperation {
	const { fields = [], filterTexts, options = [], outputs = {}, sort, ...others } = described;
	const { simplify: shortForm = simplifyRecord } = others;
	const option = optionOf({
		request: `GET ${path}`,
		name: 'Get Many',
		value: 'getAll',
		action: `Get many ${plural}`,
		description: `Get a list of ${plural}`,
		...others,
	});
	const filterFields = [...filters(names, filterTexts), ...fields];
	const filtersDescription = 'Return only the records that match';
	const allFields = [
		returnAll,
		limit,
		...(filterFields.length === 0
			? []
			: [collection('Filters', 'filters', 'Add Filter', filterFields, filtersDescription)]),
		...(shortForm === undefined ? [] : [simplify]),
		...optionsField([
			...(takesQuery === false ? [] : walkOptions(outputs)),
			...(sort === undefined ? [] : [sort]),
			...options,
		]),
	];
	return {
		...others,
		simplify: shortForm,
		takesQuery,
		option,
		kind: 'list',
		fields: allFields,
	};
}
