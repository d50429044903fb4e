/** Whether a number of a JSON text is one that a JavaScript number holds exactly; whole ones are looked at elsewhere. */
export function isExactDecimal(token: string): boolean {
	return /^-?\d+$/.test(token) || digitsOf(token) === digitsOf(String(Number(token)));
}

/** The digits of a decimal and their place, e.g. `5e0` of `+00.50`; nothing of zero. The sign is left out. */
export function digitsOf(decimal: string): string {
	const [mantissa, exponent] = decimal.trim().toLowerCase().split('e');
	const [whole, fraction = ''] = mantissa.split('.');
	const digits = (whole + fraction).replace(/[+-]?0*/, '');
	const significant = digits.replace(/0+$/, '');
	return significant && `${significant}e${Number(exponent ?? 0) + digits.length - fraction.length}`;
}
