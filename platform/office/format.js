const LANGUAGE = 'en';

/** `{ amount: 1999, currency: "EUR" }` as `€19.99`: amounts are integers in minor units. */
export function money(value) {
	if (!value || typeof value.amount !== 'number') return '–';
	const format = new Intl.NumberFormat(LANGUAGE, { style: 'currency', currency: value.currency });
	const digits = format.resolvedOptions().maximumFractionDigits;
	return format.format(value.amount / 10 ** digits);
}

export const number = (value) => new Intl.NumberFormat(LANGUAGE).format(value);

/** The time, if it is today; else the date. */
export function when(iso) {
	if (!iso) return '–';
	const at = new Date(iso);
	if (at.toDateString() === new Date().toDateString()) {
		return at.toLocaleTimeString('en-GB');
	}
	return at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
}

/** `1 delivery`, `2 deliveries`. */
export const plural = (count, singular, many = `${singular}s`) =>
	`${number(count)} ${count === 1 ? singular : many}`;

/** JSON with one field per line; any other text stays as it is. */
export function pretty(text) {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}
