import type { IDataObject } from 'n8n-workflow';

import { ExactNumber, isObject } from '../../../shared/values/json';

/** Names of what stands for lines of an order, alone or by their IDs. */
const LINES = /(?:item|line|position|product|sku|variant)s?(?:[_-]?ids?)?$/i;

/** Names of numbers that say which record, or when, and not how much. */
const NAMES_OR_TIMES =
	/(?:^|[_-])(?:at|code|date|ids?|no|number|ref|reference|time|version)$|[a-z](?:At|Code|Date|Ids?|No|Number|Ref|Reference|Time|Version)$/;

/** A switch of this name, or this text as a value, says that everything is meant. */
const EVERYTHING =
	/^(?:refund[ _-]?)?(?:all|complete|entire|everything|full|whole)(?:[ _-]?(?:amount|order|refund))?$/i;

/** How many, or how much: 0 of it is nothing, whatever stands beside it. */
const HOW_MUCH = /^(?:amount|qty|quantity)$/i;

const IS_AMOUNT = /amount/i;
const NUMBER = /^[+-]?\d[\d.,]*(?:e[+-]?\d+)?$/i;

/**
 * Whether the fields of a refund say how much is paid back: a number other than 0, lines of the order, or in words
 * that everything is meant. A reason, a switch or an empty list does not, and a platform may then refund everything
 * (API document, "Gaps in the endpoint shapes": its body is not shown, so names are not certain either).
 *
 * @param name under which the value stands
 */
export function saysExtent(value: unknown, name = ''): boolean {
	if (Array.isArray(value)) return value.some((entry) => saysExtent(entry, name));
	if (isObject(value)) return recordSaysExtent(value, name);
	if (value === true) return EVERYTHING.test(name);
	const written = writtenOf(value);
	if (LINES.test(name)) return written !== '' && !isZero(value);
	if (EVERYTHING.test(written)) return true;
	if (!/[1-9]/.test(written) || NAMES_OR_TIMES.test(name)) return false;
	return IS_AMOUNT.test(name) || NUMBER.test(written);
}

function recordSaysExtent(record: IDataObject, name: string): boolean {
	const entries = Object.entries(record);
	const isNone = entries.some(([of, value]) => HOW_MUCH.test(of) && isZero(value));
	const isNamed = LINES.test(name) && entries.some(([, value]) => writtenOf(value) !== '');
	if (isNamed && !isNone) return true;
	return entries.some(
		([of, value]) => !(isNone && typeof value === 'string') && saysExtent(value, of),
	);
}

/** A text or a number as it is sent; nothing of anything else. */
function writtenOf(value: unknown): string {
	const isWritten =
		typeof value === 'string' || typeof value === 'number' || value instanceof ExactNumber;
	return isWritten ? String(value).trim() : '';
}

const isZero = (value: unknown): boolean => {
	const written = writtenOf(value);
	return NUMBER.test(written) && !/[1-9]/.test(written);
};
