/** A field's name without its spelling: `order_number`, `orderNumber` and `Order number` are one. */
export const plainName = (name: string): string => name.replaceAll(/[_\s-]/g, '').toLowerCase();

/** The last word of a field's name, e.g. `at` of `created_at` and of `createdAt`. */
export const lastWord = (name: string): string =>
	(/[A-Z]?[a-z0-9]+$|[A-Z]+$/.exec(name.slice(-MAX_WORD_LENGTH))?.[0] ?? name).toLowerCase();

/** No word is as long, so that no name keeps the pattern busy. Characters. */
const MAX_WORD_LENGTH = 64;
