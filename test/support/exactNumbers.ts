import { ExactNumber } from '../../nodes/shared/values/json';

/** A whole number that JavaScript would round, in digits. */
export const LONG = '12345678901234567890';

/** Where something holds a number in the form that only sending knows, or that form's mark; undefined where nothing does. */
export function internalNumberIn(value: unknown): string | undefined {
	const open: Array<[path: string, value: unknown]> = [['', value]];
	for (let at = open.pop(); at !== undefined; at = open.pop()) {
		const [path, one] = at;
		if (one instanceof ExactNumber) return path;
		if (typeof one === 'string' && one.includes('exact-number-')) return path;
		if (typeof one === 'object' && one !== null)
			for (const [name, inner] of Object.entries(one)) open.push([`${path} ${name}`, inner]);
	}
	return undefined;
}
