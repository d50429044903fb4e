import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodePropertyRouting,
} from 'n8n-workflow';

/** What `engine/routing.ts` reads of a field's `routing.send`. */
const SEND = ['type', 'property', 'preSend'];

/** What it reads of the `routing.request` of an operation, an option of the Operation list. */
const REQUEST = ['method', 'url'];

type Entry = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/**
 * Every feature of n8n's `routing` in a description that the package's own reader does not honour: n8n's
 * engine would do it, the package would leave it out without a word.
 *
 * @param list the property whose options these entries are
 */
export function unreadRouting(properties: Entry[], path = '', list?: string): string[] {
	return properties.flatMap((entry) => {
		const place = `${path}${entry.name}`;
		const inner: Entry[] = [
			...(('options' in entry && entry.options) || []),
			...(('values' in entry && entry.values) || []),
		];
		const routing = ('routing' in entry && entry.routing) || {};
		const own = 'value' in entry ? ofOption(routing, list) : ofField(routing, place);
		return [
			...own.map((feature) => `${place}: ${feature}`),
			...unreadRouting(inner, `${place}.`, place),
		];
	});
}

function ofOption(routing: object, list?: string): string[] {
	return unread(routing, list === 'operation' ? { request: REQUEST } : {});
}

function ofField(routing: INodePropertyRouting, place: string): string[] {
	const { send: { paginate, ...send } = {}, ...rest } = routing;
	// It makes n8n's engine hand its requests over, and counts for all operations.
	const isHandOver = place === 'resource' && paginate === true;
	const unreadPaginate = paginate === undefined || isHandOver ? [] : ['send.paginate'];
	return [...unreadPaginate, ...unread({ ...rest, send }, { send: SEND })];
}

function unread(routing: object, read: Record<string, string[] | undefined>): string[] {
	return Object.entries(routing).flatMap(([part, value]) => {
		const known = read[part];
		if (known === undefined) return [part];
		return Object.entries(value as object).flatMap(([name, one]) => {
			if (!known.includes(name)) return [`${part}.${name}`];
			return isExpression(one) ? [`${part}.expression in ${name}`] : [];
		});
	});
}

const isExpression = (value: unknown) => typeof value === 'string' && value.startsWith('=');
