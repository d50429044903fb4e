/**
 * First letter and asterisks; the form of masked values is not shown. What a client has written into
 * a field in place of text stays as it is.
 */
export function maskText<T>(value: T): T | string {
	return typeof value === 'string' && value !== '' ? `${value[0]}***` : value;
}

/** An e-mail address that still looks like one. */
export function maskEmail<T>(value: T): T | string {
	return typeof value === 'string' && value.includes('@') ? `${value[0]}***@***` : maskText(value);
}
