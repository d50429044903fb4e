import { simplify } from '../../shared/fields';
import type { PlatformMethod, PlatformRequest } from '../../shared/api/request';
import { type Located, locator, type TextMode } from '../fields/build';
import type { Field } from '../fields/field';
import {
	batchOptions,
	developmentNotice,
	listFields,
	type OutputChoice,
	recordOptions,
	sequenceOptions,
} from '../fields/options';
import { lookUpKey, type NaturalKey } from '../run/find';
import type { AllOperation, Call, EachOperation, ListOperation, Operation } from '../run/operation';

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
	locator?: Locator;
	fields?: Field[];
	/** Its own, beside those that all of its kind have. */
	options?: Field[];
}

/** What describes an operation of a kind, and what it does beside its one request. */
type Said<O extends Operation> = Described & Omit<O, 'fields' | 'kind' | 'option'>;

/** As n8n shows and routes it. */
function optionOf({ request, name, value, action, description }: Described): Operation['option'] {
	const [method, url] = request.split(' ') as [PlatformMethod, string];
	return { name, value, action, description, routing: { request: { method, url } } };
}

/** A field that names a record, and what finds one that is named by something else than its ID. */
export interface Locator {
	field: Field;
	find(call: Call): Promise<PlatformRequest>;
}

/** A locator by ID, and by a name that people use, which is looked up by its key. */
export const located = (of: Located, mode: TextMode, key: NaturalKey): Locator => ({
	field: locator(of, [mode]),
	find: lookUpKey({ parameter: of.name, mode: mode.name, field: of.displayName, key }),
});

/** An operation that does each item by itself. */
export function each({ locator: of, ...said }: Said<EachOperation>): EachOperation {
	const { fields = [], options, ...own } = said;
	const { inDevelopment } = own;
	const option = optionOf(said);
	const sent =
		own.requests === undefined
			? recordOptions(option.routing.request.method, options)
			: sequenceOptions();
	return {
		...own,
		option,
		kind: 'each',
		find: of?.find,
		fields: [
			...(inDevelopment === undefined ? [] : [developmentNotice(inDevelopment)]),
			...(of === undefined ? [] : [of.field]),
			...fields,
			...(own.simplify === undefined ? [] : [simplify]),
			...sent,
		],
	};
}

/**
 * An operation that gives a list.
 *
 * @param fields the filters
 * @param outputs what an output item can be beside a record and a page
 */
export function list({
	outputs,
	...said
}: Said<ListOperation> & { outputs?: OutputChoice[] }): ListOperation {
	const { fields = [], options, ...own } = said;
	const short = own.simplify === undefined ? undefined : simplify;
	return {
		...own,
		option: optionOf(said),
		kind: 'list',
		fields: listFields(fields, { simplify: short, options, outputs }),
	};
}

/** An operation that takes all input items at once. */
export function all(said: Said<AllOperation>): AllOperation {
	const { fields = [], options = [], ...own } = said;
	return {
		...own,
		option: optionOf(said),
		kind: 'all',
		fields: [...fields, ...batchOptions(options)],
	};
}

/** The records of a resource, for the operations that most resources have. */
export interface Records {
	/** e.g. `an order` */
	one: string;
	/** e.g. `orders` */
	many: string;
	/** Their list, e.g. `/orders`. */
	path: string;
	/** How one of them is named. */
	locator?: Locator;
}

/** What an operation of a known shape still says. */
type Shaped<S extends Described> =
	Omit<S, 'action' | 'request' | 'value'> extends infer R
		? Omit<R, 'description' | 'name'> & { name?: string; description?: string }
		: never;

type OfEach = Shaped<Said<EachOperation>>;

/** An operation that most resources have, on one record or to make one. */
const shape =
	(method: PlatformMethod, value: string, name: string, describe: (one: string) => string) =>
	({ one, path, locator }: Records, said: OfEach = {}): EachOperation => {
		const of = value === 'create' ? undefined : locator;
		return each({
			request: `${method} ${of === undefined ? path : `${path}/{${of.field.name}}`}`,
			name,
			value,
			action: `${name} ${one}`,
			description: describe(one),
			locator: of,
			...said,
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

export const getMany = (
	{ many, path }: Records,
	said: Shaped<Parameters<typeof list>[0]> = {},
): ListOperation =>
	list({
		request: `GET ${path}`,
		name: 'Get Many',
		value: 'getAll',
		action: `Get many ${many}`,
		description: `Get a list of ${many}`,
		...said,
	});
