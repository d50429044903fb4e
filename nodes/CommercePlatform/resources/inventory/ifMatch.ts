import type { INodeProperties } from 'n8n-workflow';

import { checkHeaderValue } from '../../../shared/api/http';
import { optionalText } from '../../../shared/values/readers';
import type { PreSend } from '../../engine/operation';

const IF_MATCH = 'If-Match';

/** What HTTP writes as it is: quoted tags, weak ones, and any version at all. */
const WRITTEN_OUT = /^(?:\*|(?:W\/)?".*")$/;

/** The version that the write is based on (API document, "Inventory"). */
export const ifMatch: INodeProperties = {
	displayName: IF_MATCH,
	name: 'ifMatch',
	type: 'string',
	default: '',
	placeholder: 'e.g. 7',
	description:
		'Version of the stock level that you have read: the level’s own “version”, not the ETag of a whole page. With or without quotation marks. If the level has changed since, the platform refuses the write as a conflict.',
	routing: { send: { preSend: [sendIfMatch()] } },
};

function sendIfMatch(): PreSend {
	return async function (options) {
		const version = optionalText(IF_MATCH, this.getNodeParameter('options.ifMatch', ''));
		if (version === undefined) return options;
		const tag = WRITTEN_OUT.test(version) ? version : `"${version}"`;
		const header = checkHeaderValue(IF_MATCH, tag);
		return { ...options, headers: { ...options.headers, [IF_MATCH]: header } };
	};
}
