import { simplify } from '../../shared/fields';
import { type Scope, scopeOf } from '../../shared/model/scopes';
import type { PlatformMethod, PlatformRequest } from '../../shared/api/request';
import type { Field } from '../fields/field';
import {
	batchOptions,
	developmentNotice,
	listFields,
	type OutputChoice,
	recordOptions,
	sequenceOptions,
} from '../fields/options';
import type { AllOperation, Call, EachOperation, ListOperation, Operation } from '../run/operation';

/** What an operation says of itself, whatever its kind; the rest follows from it. */
interface Described {
	/** Method and path as the API document writes them, e.g. `POST /orders/{orderId}/cancel`. */
	request: `${PlatformMethod} /${string}`;
	name: string;
	/** The name on which saved workflows depend. */
	value: string;
	action: string;
	description: string;
	/** What to use until the platform has released it, as a sentence. Only of what is in development. */
	inDevelopment?: string;
	/** The choices, in the words of the editor, for which it reads beside its own request; none where it always does. */
	reads?: string[];
	fields?: Field[];
	/** Its own, beside those that all of its kind have. */
	options?: Field[];
}

type Derived = 'fields' | 'inDevelopment' | 'kind' | 'meanwhile' | 'option' | 'reads' | 'scope';

/** What describes an operation of a kind, and what it does beside its one request. */
type Said<O extends Operation> = Described & Omit<O, Derived>;

/** The members of every operation that follow from what it says. */
function common({ request, name, value, action, description, inDevelopment, reads }: Described) {
	const [method, url] = request.split(' ') as [PlatformMethod, string];
	const [, list] = url.split('/');
	const scope = scopeOf({ method: 'GET', path: `/${list}` }) as Scope;
	return {
		option: { name, value, action, description, routing: { request: { method, url } } },
		scope: scopeOf({ method, path: url }),
		reads: reads && { scope, when: reads },
		inDevelopment: inDevelopment !== undefined,
		meanwhile: inDevelopment,
	};
}

/** A field that names a record, and what finds one that is named by something else than its ID. */
export interface Locator {
	field: Field;
	find(call: Call): Promise<PlatformRequest>;
}

/**
 * An operation that does each item by itself.
 *
 * @param locator of the record that it works on
 */
export function each({
	locator,
	...said
}: Said<EachOperation> & { locator?: Locator }): EachOperation {
	const { fields = [], options, inDevelopment, ...own } = said;
	const { option, ...derived } = common(said);
	const sent =
		own.requests === undefined
			? recordOptions(option.routing.request.method, options)
			: sequenceOptions();
	return {
		...own,
		...derived,
		option,
		kind: 'each',
		find: locator?.find,
		fields: [
			...(inDevelopment === undefined ? [] : [developmentNotice(inDevelopment)]),
			...(locator === undefined ? [] : [locator.field]),
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
		...common(said),
		kind: 'list',
		fields: listFields(fields, { simplify: short, options, outputs }),
	};
}

/** An operation that takes all input items at once. */
export function all(said: Said<AllOperation>): AllOperation {
	const { fields = [], options = [], ...own } = said;
	return { ...own, ...common(said), kind: 'all', fields: [...fields, ...batchOptions(options)] };
}

/** The records of a resource, for the operations that most resources have. */
export interface Records {
	/** e.g. `an order` */
	one: string;
	/** e.g. `orders` */
	many: string;
	/** Their list, e.g. `/orders`. */
	path: `/${string}`;
	/** How one of them is named. */
	locator?: Locator;
}

/** Texts and request of an operation may be left out where they follow from its shape. */
type Shaped<F> = F extends (said: infer S) => unknown
	? Omit<S, 'action' | 'description' | 'locator' | 'name' | 'request' | 'value'> & {
			name?: string;
			description?: string;
		}
	: never;

const recordPath = ({ path, locator }: Records) => `${path}/{${locator?.field.name}}` as const;

export const create = ({ one, path }: Records, said: Shaped<typeof each>): EachOperation =>
	each({
		request: `POST ${path}`,
		name: 'Create',
		value: 'create',
		action: `Create ${one}`,
		description: `Create ${one}`,
		...said,
	});

export const remove = (records: Records, said: Shaped<typeof each> = {}): EachOperation =>
	each({
		request: `DELETE ${recordPath(records)}`,
		name: 'Delete',
		value: 'delete',
		action: `Delete ${records.one}`,
		description: `Delete ${records.one} permanently`,
		locator: records.locator,
		...said,
	});

export const getOne = (records: Records, said: Shaped<typeof each> = {}): EachOperation =>
	each({
		request: `GET ${recordPath(records)}`,
		name: 'Get',
		value: 'get',
		action: `Get ${records.one}`,
		description: `Get ${records.one}`,
		locator: records.locator,
		...said,
	});

export const getMany = ({ many, path }: Records, said: Shaped<typeof list> = {}): ListOperation =>
	list({
		request: `GET ${path}`,
		name: 'Get Many',
		value: 'getAll',
		action: `Get many ${many}`,
		description: `Get a list of ${many}`,
		...said,
	});

export const update = (records: Records, said: Shaped<typeof each>): EachOperation =>
	each({
		request: `PATCH ${recordPath(records)}`,
		name: 'Update',
		value: 'update',
		action: `Update ${records.one}`,
		description: `Change fields of ${records.one}; what is not entered stays as it is`,
		locator: records.locator,
		...said,
	});
