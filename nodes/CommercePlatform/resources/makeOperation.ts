import { type Choices, type Field, simplify } from '../../shared/fields';
import type { PlatformMethod } from '../../shared/api/request';
import { developmentNotice, listFields, optionsField } from '../fields/options';
import type { AllOperation, EachOperation, ListOperation, Operation } from '../run/operation';
import type { Records } from './recordNames';

/** What an operation says of itself, whatever its kind; the rest follows from it. */
interface Described {
	/** Method and path as the API document writes them, e.g. `POST /orders/{orderId}/cancel`. */
	request: `${PlatformMethod} ${string}`;
	name: string;
	/** The name on which saved workflows depend. */
	value: string;
	action: string;
	description: string;
	/** Of the record that it works on, where it is about one. */
	locator?: Records['locator'];
	fields?: Field[];
	/** Of the collection Options; those of lists have some in common. */
	options?: Field[];
}

/** What describes an operation of a kind, and what it does beyond its one request. */
type Description<O extends Operation> = Described & Omit<O, 'fields' | 'kind' | 'option'>;

/** As n8n shows and routes it. */
function optionOf({ request, name, value, action, description }: Described): Operation['option'] {
	const [method, url] = request.split(' ') as [PlatformMethod, string];
	return { name, value, action, description, routing: { request: { method, url } } };
}

/**
 * Says of an operation, wherever n8n lists it, that the platform has announced it but may not offer it yet. In an action
 * n8n's lint allows letters only.
 */
const markedAsInDevelopment = <T extends Described>(described: T): T => ({
	...described,
	name: `${described.name} (In Development)`,
	action: `${described.action} once released`,
	description: `${described.description} (in development)`,
});

/** An operation that does each item by itself. */
export function each(described: Description<EachOperation>): EachOperation {
	const { locator, fields = [], options = [], ...others } = described;
	const { inDevelopment } = described;
	const option = optionOf(
		inDevelopment === undefined ? described : markedAsInDevelopment(described),
	);
	return {
		...others,
		option,
		kind: 'each',
		findId: locator?.find,
		fields: [
			...(inDevelopment === undefined ? [] : [developmentNotice(inDevelopment)]),
			...(locator === undefined ? [] : [locator.field]),
			...fields,
			...(others.simplify === undefined ? [] : [simplify]),
			...optionsField(options),
		],
	};
}

/** An operation that takes all input items at once. */
export function all(described: Description<AllOperation>): AllOperation {
	const { fields = [], options = [], ...others } = described;
	return {
		...others,
		option: optionOf(described),
		kind: 'all',
		fields: [...fields, ...optionsField(options)],
	};
}

/** An operation that most resources have, on one record or to make one. */
const shape =
	(method: PlatformMethod, value: string, name: string, describe: (one: string) => string) =>
	(
		{ one, path, locator }: Records,
		described: Partial<Description<EachOperation>> = {},
	): EachOperation => {
		const of = value === 'create' ? undefined : locator;
		return each({
			request: `${method} ${of === undefined ? path : `${path}/{${of.field.name}}`}`,
			name,
			value,
			action: `${name} ${one.replace(/^an? /, '')}`,
			description: describe(one),
			locator: of,
			...described,
		});
	};

export const create = shape('POST', 'create', 'Create', (one) => `Create ${one}`);
export const getOne = shape('GET', 'get', 'Get', (one) => `Get ${one}`);
export const remove = shape('DELETE', 'delete', 'Delete', (one) => `Delete ${one} permanently`);
export const update = shape(
	'PATCH',
	'update',
	'Update',
	(one) => `Change fields of ${one}; what is not entered stays as it is`,
);

/** An operation that gives the list of a resource; its fields are the filters. */
export function getMany(
	{ many, path }: Pick<Records, 'many' | 'path'>,
	described: Partial<Description<ListOperation>> & { outputs?: Choices; sort?: Field } = {},
): ListOperation {
	const { fields: filters = [], options = [], outputs = {}, sort, ...others } = described;
	const option = optionOf({
		request: `GET ${path}`,
		name: 'Get Many',
		value: 'getAll',
		action: `Get many ${many}`,
		description: `Get a list of ${many}`,
		...others,
	});
	const fields = listFields({
		filters,
		sort: sort === undefined ? [] : [sort],
		isSimplified: others.simplify !== undefined,
		options,
		outputs,
		takesQuery: others.takesQuery !== false,
	});
	return { ...others, option, kind: 'list', fields };
}
