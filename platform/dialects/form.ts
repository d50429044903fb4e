import { pointOf, type Dialect, type PointName } from './table';

export type Fields = Record<string, unknown>;

/** The entry of points.json for the dialect's value of a switch. */
export const formOf = <Form>(name: PointName, dialect: Dialect): Form | undefined =>
	pointOf(name).forms?.[dialect[name]] as Form | undefined;

/**
 * Gives fields the form that a dialect has for them; without a form they stay as they are. In a form, `$name` is a
 * field, `$a.b` a field within it, and `$name?` a field that is left out if it is null. The key `*` adds all other
 * fields, except those that it lists. The key `=` replaces values of fields by other words.
 */
export function shaped(name: PointName, fields: Fields, dialect: Dialect): Fields {
	const form = formOf(name, dialect);
	return form === undefined ? fields : (filled(form, fields) as Fields);
}

function filled(form: unknown, fields: Fields): unknown {
	if (typeof form === 'string') return form.startsWith('$') ? valueAt(form.slice(1), fields) : form;
	if (Array.isArray(form)) return form.map((part) => filled(part, fields));
	if (typeof form !== 'object' || form === null) return form;
	const { '*': omitted, '=': words, ...named } = form as Record<string, Fields>;
	const values = { ...fields };
	for (const [field, names] of Object.entries(words ?? {})) {
		values[field] = (names as Fields)[String(fields[field])] ?? fields[field];
	}
	const shown = Object.entries(named).map(([key, part]) => [key, filled(part, values)]);
	if (omitted === undefined) return Object.fromEntries(shown);
	const used = [...JSON.stringify(named).matchAll(/"\$(\w+)/g)].map(([, field]) => field);
	for (const field of [...used, ...(omitted as unknown as string[])]) delete values[field];
	return { ...values, ...Object.fromEntries(shown) };
}

function valueAt(path: string, fields: Fields): unknown {
	const steps = path.replace('?', '').split('.');
	const value = steps.reduce<unknown>(
		(within, step) => (within as Fields | undefined)?.[step],
		fields,
	);
	return path.endsWith('?') ? (value ?? undefined) : value;
}
