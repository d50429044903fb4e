import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

/** What `engine/routing.ts` reads of a field's `routing.send`. */
const SEND = ['type', 'property', 'preSend', 'paginate'];

type Entry = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/**
 * Every feature of n8n's `routing` in a description that the package's own reader does not honour: n8n's
 * engine would do it, the package would leave it out without a word.
 */
export function unreadRouting(properties: Entry[], path = ''): string[] {
	return properties.flatMap((entry) => {
		const place = `${path}${entry.name}`;
		const isOption = 'value' in entry;
		const inner: Entry[] = [
			...(('options' in entry && entry.options) || []),
			...(('values' in entry && entry.values) || []),
		];
		const own = 'routing' in entry && entry.routing ? featuresOf(entry.routing, isOption) : [];
		return [...own.map((feature) => `${place}: ${feature}`), ...unreadRouting(inner, `${place}.`)];
	});
}

function featuresOf(routing: object, isOption: boolean): string[] {
	return Object.entries(routing).flatMap(([part, value]) => {
		const known = isOption ? part === 'request' : part === 'send';
		if (!known) return [part];
		const read = isOption ? ['method', 'url'] : SEND;
		const names = Object.keys(value as object).filter((name) => !read.includes(name));
		const expressions = Object.entries(value as object).filter(
			([, one]) => typeof one === 'string' && one.startsWith('='),
		);
		return [...names, ...expressions.map(([name]) => `expression in ${name}`)].map(
			(name) => `${part}.${name}`,
		);
	});
}
