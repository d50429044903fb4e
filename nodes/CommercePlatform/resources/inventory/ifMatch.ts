import { checkHeaderValue } from '../../../shared/api/http';
import { optionalText } from '../../../shared/values/readers';
import type { Field } from '../../fields/field';

const IF_MATCH = 'If-Match';

/** What HTTP writes as it is: quoted tags, weak ones, and any version at all. */
const WRITTEN_OUT = /^(?:\*|(?:W\/)?".*")$/;

/** The version that the write is based on (API document, "Inventory"). */
export const ifMatch: Field = {
	displayName: IF_MATCH,
	name: 'ifMatch',
	type: 'string',
	default: '',
	placeholder: 'e.g. 7',
	description:
		'Version of the stock level that you have read: the level’s own “version”, not the ETag of a whole page. With or without quotation marks. If the level has changed since, the platform refuses the write as a conflict.',
	send: { in: 'headers', as: IF_MATCH, read: readIfMatch },
};

function readIfMatch(label: string, value: unknown): string | undefined {
	const version = optionalText(label, value);
	if (version === undefined) return undefined;
	return checkHeaderValue(label, WRITTEN_OUT.test(version) ? version : `"${version}"`);
}
