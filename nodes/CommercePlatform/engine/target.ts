import { expandPath, placeholders } from '../../shared/api/path';
import type { PlatformRequest } from '../../shared/api/request';

/**
 * The record that a request is about, e.g. `/orders/ord_1` of `/orders/ord_1/cancel`.
 *
 * @returns undefined for a request about none in particular, as a create
 */
export function recordPathOf({ path, pathParams }: PlatformRequest): string | undefined {
	const [name] = placeholders(path);
	if (name === undefined) return undefined;
	const placeholder = `{${name}}`;
	const end = path.indexOf(placeholder) + placeholder.length;
	return expandPath(path.slice(0, end), pathParams);
}
