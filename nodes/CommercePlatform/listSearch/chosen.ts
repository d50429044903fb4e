import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { optionalText } from '../../shared/values/readers';
import { isObject } from '../../shared/values/json';

/** What a resource locator of the node holds while the node is edited. */
export interface Chosen {
	/** `list`, `id`, … */
	mode: string;
	value: string;
}

/**
 * What the user has chosen in a resource locator.
 *
 * @param parameter e.g. `orderId`
 * @returns undefined where nothing is chosen, or only a run knows it: an expression
 */
export function chosenIn(context: ILoadOptionsFunctions, parameter: string): Chosen | undefined {
	const locator: unknown = context.getCurrentNodeParameter(parameter);
	if (!isObject(locator) || typeof locator.value !== 'string') return undefined;
	const value = optionalText(parameter, locator.value);
	if (value === undefined || value.startsWith('=')) return undefined;
	return { mode: String(locator.mode), value };
}
