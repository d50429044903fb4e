import type { IDataObject, INode } from 'n8n-workflow';

import { enteredJson } from '../../../nodes/CommercePlatform/fields/jsonText';
import { authenticate, readCredential } from '../../../nodes/shared/rest/credential';
import { readPage } from '../../../nodes/shared/rest/pages';
import { readBudget } from '../../../nodes/shared/rest/limiter';
import {
	documentedCode,
	findErrorCode,
	findErrorMessage,
	findRequestId,
	isErrorBody,
	isKindOf409,
} from '../../../nodes/shared/rest/errorBody';
import { PlatformError } from '../../../nodes/shared/rest/errors';
import { toNodeError } from '../../../nodes/shared/rest/nodeErrors';
import { isEventName } from '../../../nodes/shared/shop/events';
import { SERVICE } from '../../../nodes/shared/shop/service';
import { lineItemsOf, simplifyCustomer, simplifyOrder } from '../../../nodes/shared/shop/records';
import type { Item } from '../../../nodes/shared/values/fields';
import { findUnsendable, inexactNumbers, snakeName } from '../../../nodes/shared/values/json';
import { toUtcIso } from '../../../nodes/shared/values/dates';
import { moneyToSend, readMoney, withDecimals } from '../../../nodes/shared/values/money';
import { nameText } from '../../../nodes/shared/values/names';
import {
	boolean,
	describe as described,
	integer,
	json,
	number,
	optionalText,
	text,
	textList,
} from '../../../nodes/shared/values/readers';

/** Texts of any length that are hard for patterns. */
const WORST: Array<[string, (length: number) => string]> = [
	['zeros, then a digit', (n) => `${'0'.repeat(n)}1`],
	['zeros, then a letter', (n) => `1${'0'.repeat(n)}x`],
	['decimals', (n) => `0.${'0'.repeat(n)}1`],
	['digits', (n) => '7'.repeat(n)],
	['an exponent', (n) => `1e${'0'.repeat(n)}1`],
	['small letters', (n) => `${'a'.repeat(n)}_`],
	['capitals', (n) => `${'A'.repeat(n)}_`],
	['both', (n) => `${'aA'.repeat(n / 2)}-`],
	['underscores', (n) => `${'_'.repeat(n)}at`],
	['blanks', (n) => `x${' '.repeat(n)}x`],
	['full stops', (n) => `${'.'.repeat(n)}x`],
	['colons', (n) => '12:'.repeat(n / 3)],
	['slashes', (n) => 'urn:/'.repeat(n / 5)],
	['slashes, then a letter', (n) => `${'/'.repeat(n)}v1`],
	['words', (n) => 'orders.read '.repeat(n / 12)],
	['commas', (n) => `${','.repeat(n)}x`],
	['quotes', (n) => '"'.repeat(n)],
	['backslashes', (n) => `"${'\\\\'.repeat(n / 2)}`],
	['a JSON text that is not closed', (n) => `[1234567890123456,"${'\\"'.repeat(n / 2)}`],
	['a JSON text', (n) => JSON.stringify('\\"'.repeat(n / 4))],
	['a JSON list', (n) => `[${'1234567890123456.0,'.repeat(n / 19)}1]`],
	['nested JSON', (n) => '['.repeat(n)],
	['a fence that is not closed', (n) => `\`\`\`\t${'\n'.repeat(n)}`],
	['a date', (n) => `2026-01-31T22:00:00.${'0'.repeat(n)}Z`],
	['a day', (n) => `2026-01-31${' '.repeat(n)}x`],
];

const at = { method: 'POST' as const, path: '/orders', host: 'h', body: { sku: 'A-1' } };
const named = (said: string): IDataObject => ({ [said]: said, line_items: [{ [said]: 1 }] });

/** An item whose JSON field was entered like this. */
const itemOf = (entered: string) => ({ entered: () => entered }) as unknown as Item;

/** The readers of field values. */
const FIELD_READERS = [boolean, integer, json, number, optionalText, text, textList];

/** Everything that reads texts from outside. */
const READERS: Record<string, (said: string) => unknown> = {
	...Object.fromEntries(
		FIELD_READERS.map((read) => [read.name, (said: string) => read('Field', said)]),
	),
	authenticate: (said) => {
		const credential = { baseUrl: 'https://a.example/v1', apiKey: 'k' };
		const options = { baseURL: `https://a.example/v1/${said}`, url: `${said}/x` };
		// Only the time matters, not the result.
		authenticate(credential, options).catch(() => undefined);
	},
	described,
	documentedCode,
	toNodeError: (said) =>
		toNodeError(
			{ type: 'x' } as INode,
			new PlatformError('refused', at, { status: 403, platformMessage: said, code: said }),
			{ noun: 'order' },
		),
	enteredJson: (said) => enteredJson('Field', itemOf('={{ $json.said }}'), 'json', said),
	'enteredJson in quotes': (said) =>
		enteredJson('Field', itemOf('={"a":"{{ $json.said }}"}'), 'json', `{"a":"${said}"}`),
	'enteredJson by JSON.stringify': (said) =>
		enteredJson(
			'Field',
			itemOf('={"a":{{ JSON.stringify($json.said) }}}'),
			'json',
			`{"a":${JSON.stringify(said)}}`,
		),
	findErrorCode: (said) => findErrorCode({ code: said, error: { type: said } }),
	'findErrorCode in a list': (said) => findErrorCode([...said.slice(0, 100_000)]),
	findErrorMessage: (said) => findErrorMessage({ error: said, message: said }),
	findRequestId: (said) => findRequestId({ request_id: said }, { [said]: said }),
	findUnsendable: (said) => findUnsendable(named(said)),
	inexactNumbers,
	isErrorBody: (said) => isErrorBody({ error: said, [said]: said }),
	isEventName,
	isKindOf409: (said) => isKindOf409('CONFLICT', { status: 409, code: said }),
	lineItemsOf: (said) => lineItemsOf({ [said]: [] }),
	moneyToSend: (said) =>
		moneyToSend({ amount: said, currency: said, decimal: said }, SERVICE.mustBeMoney),
	'moneyToSend, its decimal': (said) =>
		moneyToSend({ amount: 1, currency: 'EUR', decimal: said }, SERVICE.mustBeMoney),
	readCredential: (said) =>
		readCredential({ baseUrl: `https://a.example/${said}`, apiKey: 'cpk_live_1' }),
	readBudget: (said) =>
		readBudget(
			429,
			{ 'x-ratelimit-limit': said, 'x-ratelimit-reset': said, date: said, 'retry-after': said },
			0,
		),
	'readMoney, major': (said) =>
		readMoney({ amount: 'A', currency: 'C' }, { amount: said, currency: 'EUR' }, { unit: 'major' }),
	'readMoney, minor': (said) =>
		readMoney({ amount: 'A', currency: 'C' }, { amount: said, currency: said }, { unit: 'minor' }),
	nameText: (said) => nameText('Field', said),
	readPage: (said) => readPage({ data: [], pagination: { next_cursor: said, has_more: said } }),
	snakeName,
	simplifyCustomer: (said) => simplifyCustomer(named(said)),
	simplifyOrder: (said) => simplifyOrder(named(said)),
	toUtcIso: (said) => toUtcIso('Field', said, 'Europe/Berlin'),
	withDecimals: (said) => withDecimals({ amount: said, currency: said }, 'number'),
};

/** Processor time that reading takes, also if the text is refused. A busy machine does not make it longer. ms. */
function timeOf(read: (said: string) => unknown, said: string): number {
	const before = process.cpuUsage();
	try {
		read(said);
	} catch {
		// Refused texts are timed too.
	}
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

/** They take some 5 ms. A reader whose time grows with the square of the length takes more than five seconds. */
const LENGTH = 100_000;
const MOST_MS = 2_000;

describe.each(Object.entries(READERS))('%s', (_name, read) => {
	it.each(WORST)('reads 100,000 characters in no time: %s', (_what, make) => {
		expect(timeOf(read, make(LENGTH))).toBeLessThan(MOST_MS);
	});
});
