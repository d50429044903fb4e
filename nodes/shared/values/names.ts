/** Names that were brought into one spelling before: all records of a shop have the same fields. */
const snakeNames = new Map<string, string>();
const MAX_REMEMBERED = 2_000;

/** No longer name or word is looked at, so that none keeps a pattern busy. Characters. */
const MAX_LENGTH = 100;

/** A field's name or a word in one spelling: `orderNumber`, `Order number` and `order-number` are `order_number`. */
export function snakeName(name: string): string {
	const remembered = snakeNames.get(name);
	if (remembered !== undefined) return remembered;
	const snake = name
		.slice(0, MAX_LENGTH)
		.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, '_')
		.replaceAll(/^_|_$/g, '');
	if (snakeNames.size < MAX_REMEMBERED) snakeNames.set(name, snake);
	return snake;
}
