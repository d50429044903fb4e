import type { IDataObject } from 'n8n-workflow';

import { boolean } from '../../shared/input/readers';
import type { ItemScope } from './operation';

/**
 * Whether a switch of an Options collection is on. An expression must give true or false, also as text: taking
 * anything else for false would send what should only be shown, or read 19.99 as minor units.
 *
 * @param field display name
 * @throws InputError
 */
export function flag(options: IDataObject, name: string, field: string): boolean {
	return name in options && boolean(field, options[name]);
}

/** The same for a parameter of its own; an expression that gives nothing leaves it off. */
export function flagParameter(item: ItemScope, name: string, field: string): boolean {
	return boolean(field, item.parameter(name, false) ?? false);
}
