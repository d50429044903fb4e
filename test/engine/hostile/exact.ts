import { isDeepStrictEqual } from 'node:util';

import { DateTime } from 'luxon';
import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import type { HostileField } from './fields';
import { EMPTY_OBJECT, type CaughtRequest, type Places } from './wire';

/** The good outcomes of a value; any other outcome is a fault, described in words. */
export const GOOD = ['refused', 'arrived', 'said nothing', 'not on the wire'] as const;

export interface Outcome {
	/** The error's message, if the item failed. */
	error?: string;
	request?: CaughtRequest;
	/** A dry run: nothing was sent. */
	isShownOnly?: true;
}

/** The requests of two harmless values. The places where they differ are the field's places in the request. */
export interface Harmless {
	one: Places;
	two: Places;
}

/** Judges one value of one field. */
export function judgeValue(
	field: HostileField,
	entered: unknown,
	{ error, request, isShownOnly }: Outcome,
	harmless: Harmless,
): string {
	if (error !== undefined) return namesField(field, error) ? 'refused' : `unnamed: ${error}`;
	const value = asText(field, entered);
	if (isRuledOut(field, value)) return 'not refused';
	if (isShownOnly)
		return field.field.name === 'dryRun' && says(value, true)
			? 'arrived'
			: 'not sent, as a dry run';
	if (request === undefined) return 'neither an error nor a request';
	if (isSwitch(field)) return judgeSwitch(value, request, harmless);
	// With the type “null” the row has a value without a value being entered.
	if (field.field.name === 'type' && value === 'null')
		return request.places.get('body a') === null ? 'arrived' : 'not null';
	const own = placesOf(field, harmless);
	const kind = kindOf(field);
	if (field.field.name === 'price' && saysNothing(value, kind))
		return judgeNoPrice(request, harmless);
	if (own.length === 0) return sameBut([], harmless.one, request.places) ?? 'not on the wire';
	const prefixes = prefixesOf(field, kind, own, value);
	const elsewhere = sameBut(prefixes, harmless.one, request.places);
	if (elsewhere !== undefined) return elsewhere;
	const sent = under(prefixes, request.places);
	if (sent.length === 0) return saysNothing(value, kind) ? 'said nothing' : 'dropped in silence';
	if (prefixes[0] === 'body' && saysNothing(value, kind))
		return sent.every(([place, is]) => harmless.one.has(place) || isEmptyBody(place, is))
			? 'said nothing'
			: 'made up';
	return CHECKS[kind](value, sent, request, field)
		? 'arrived'
		: `changed to ${JSON.stringify(sent)}`.slice(0, 300);
}

/** Without a price its currency is not sent either. */
function judgeNoPrice({ places }: CaughtRequest, { one }: Harmless): string {
	if ([...places.keys()].some((place) => / prices?( |$)/.test(place))) return 'made up';
	return sameBut(['body variants'], one, places) ?? 'said nothing';
}

/** A date becomes ISO text, except in fields that read dates or JSON themselves. */
function asText(field: HostileField, value: unknown): unknown {
	if (['date', 'json'].includes(kindOf(field))) return value;
	if (DateTime.isDateTime(value)) return String(value);
	return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value;
}

/** Fields that a row needs to have a meaning. */
const NEEDED: ReadonlySet<string> = new Set(['currency', 'amount', 'line_item_id', 'sku']);

/** JSON fields that take a list. */
const LISTS: ReadonlySet<string> = new Set(['itemsJson', 'variantsJson']);

/** Choices for which the platform may have more values than the editor shows. */
const OPEN: ReadonlySet<string> = new Set(['events', 'status']);

/** Whether the field's own description rules the value out, so that nothing may be sent. */
function isRuledOut(of: HostileField, value: unknown): boolean {
	const { field, path } = of;
	const { type, name, required, allowArbitraryValues, typeOptions = {}, options = [] } = field;
	if (saysNothing(value, 'trimmed')) {
		const isFilter = path[0] === 'filters' && path.length === 2 && name !== 'after_event_id';
		return required === true || isFilter || kindOf(of) === 'name' || NEEDED.has(name);
	}
	if (OPEN.has(name)) return false;
	const { minValue = -Infinity, maxValue = Infinity } = typeOptions;
	const choices = options.map((option) => (option as INodePropertyOptions).value);
	const isUnknown = (choice: unknown) => !choices.includes(choice as string);
	if (type === 'number')
		return !Number.isInteger(Number(value)) || Number(value) < minValue || Number(value) > maxValue;
	if (type === 'options') return allowArbitraryValues !== true && isUnknown(value);
	if (type === 'multiOptions' && choices.length > 0)
		return Array.isArray(value) && value.some((choice) => choice !== '' && isUnknown(choice));
	if (type === 'json') {
		const read = typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
		return Array.isArray(read) !== LISTS.has(name);
	}
	if (name === 'url') return !String(value).trim().startsWith('https://');
	return name === 'currency' && !CURRENCIES.has(String(value).trim().toUpperCase());
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Whether this is the empty body of a write without fields. */
const isEmptyBody = (place: string, is: unknown): boolean =>
	place === 'body' && is === EMPTY_OBJECT;

/** A boolean that is not a value of the body: it chooses what is sent or returned. */
const isSwitch = ({ field }: HostileField) => field.type === 'boolean';

/** Booleans are also taken as words and as digits. */
const WORDS = { true: ['true', 'yes', '1'], false: ['false', 'no', '0'] };

const says = (value: unknown, what: boolean) =>
	value === what ||
	value === Number(what) ||
	(typeof value === 'string' && WORDS[`${what}`].includes(value.trim().toLowerCase()));

/** A switch must act like one of the harmless values: on, or off. */
function judgeSwitch(value: unknown, request: CaughtRequest, { one, two }: Harmless): string {
	const on = says(value, true);
	if (!on && !says(value, false) && value !== undefined && value !== null)
		return 'taken for a switch';
	const differs = sameBut([], on ? one : two, request.places);
	if (differs !== undefined) return differs;
	return value === undefined || value === null ? 'said nothing' : 'arrived';
}

/** The name in the row beside which a value is tried (`BESIDE` in fields.ts). */
const GIVEN_NAME = 'a';

const BY_NAME: Record<string, Kind> = {
	amount: 'amount',
	carrier: 'lowerCase',
	currency: 'currency',
	idempotencyKey: 'key',
	refundOnceKey: 'key',
	ifMatch: 'etag',
	ifNoneMatch: 'trimmed',
	json: 'json',
	limit: 'limit',
	location_id: 'trimmed',
	locationId: 'trimmed',
	otherEvents: 'list',
	pageSize: 'pageSize',
	price: 'amount',
	rowLine: 'trimmed',
	rowQuantity: 'number',
	customer: 'trimmed',
	sku: 'trimmed',
	startCursor: 'trimmed',
	trackingNumber: 'trimmed',
	url: 'trimmed',
};

function kindOf({ field, path, parameters }: HostileField): Kind {
	if (path[0] === 'options' && path[1] === 'sort') return 'sort';
	if (path.at(-1) === 'value' && path.at(-3) === 'field') {
		const type = rowType(parameters, path);
		return type === 'string' ? 'text' : (type as Kind);
	}
	if (path.at(-1) === 'name' && typeof path.at(-2) === 'number') return 'name';
	const named = BY_NAME[field.name];
	if (named !== undefined) return named;
	// A path has it without blanks; a body has it as it was entered.
	if (field.type === 'resourceLocator') return path.length > 1 ? 'text' : 'id';
	if (field.type === 'dateTime') return 'date';
	if (field.type === 'multiOptions') return 'list';
	return field.type === 'number' || field.type === 'boolean' || field.type === 'json'
		? field.type
		: 'text';
}

function rowType(parameters: unknown, path: HostileField['path']): unknown {
	let row = parameters;
	for (const step of path.slice(0, -1)) row = (row as Record<string, unknown>)[String(step)];
	return (row as Record<string, unknown>).type;
}

const namesField = ({ labels, field, path }: HostileField, error: string) =>
	[...labels, field.displayName].some((label) => error.includes(label)) ||
	error.includes("'JSON") ||
	// A name is looked up, and is told as what it is a name of.
	(field.name === 'categories' && error.startsWith('No category is called “')) ||
	// A value inside a field of the shop's own is named by the name that the field was given.
	(path.at(-3) === 'field' && error.includes(`'${GIVEN_NAME}[`));

/** Keys cover the whole request, so they differ with every value. */
const placesOf = ({ field }: HostileField, { one, two }: Harmless) =>
	[...new Set([...one.keys(), ...two.keys()])].filter(
		(place) =>
			one.get(place) !== two.get(place) &&
			(place !== 'header idempotency-key' ||
				['idempotencyKey', 'refundOnceKey'].includes(field.name)),
	);

function prefixesOf(
	{ field, path }: HostileField,
	kind: Kind,
	own: string[],
	value: unknown,
): string[] {
	if (kind === 'name') return [...own, `body ${String(value)}`, `query ${String(value)}`];
	if (field.name === 'variantsJson') return ['body variants'];
	if (field.name === 'itemsJson') return ['body items'];
	if (kind === 'json' && path.length <= 2) return ['body'];
	if (kind === 'json' || kind === 'list')
		return own.map((place) => place.split(' ').slice(0, 2).join(' '));
	return own;
}

const isUnder = (place: string, prefixes: string[]) =>
	prefixes.some((prefix) => place === prefix || place.startsWith(`${prefix} `));

const under = (prefixes: string[], places: Places) =>
	[...places].filter(([place]) => isUnder(place, prefixes));

/** Differences at places that do not belong to the field. */
function sameBut(prefixes: string[], harmless: Places, places: Places): string | undefined {
	for (const place of new Set([...harmless.keys(), ...places.keys()])) {
		if (isUnder(place, prefixes) || place === 'header idempotency-key') continue;
		const isContainer = [...prefixes].some((prefix) => prefix.startsWith(`${place} `));
		if (!isContainer && harmless.get(place) !== places.get(place))
			return `changed ${place} to ${String(places.get(place))}`;
	}
	return undefined;
}

/** Bodies whose fields an expression may leave empty: empty ones are not sent. */
const LEAVES_OUT: ReadonlySet<string> = new Set([
	'json',
	'otherFieldsJson',
	'productJson',
	'variantsJson',
]);

/** Whether the text is empty or has only blanks of any kind. */
const isBlank = (value: string) =>
	value.replaceAll(/[\s\u180e\u200b-\u200d\u2060\ufeff]/g, '') === '';

/** The value without fields that are empty, at any depth. */
export function said(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(said);
	if (typeof value !== 'object' || value === null) return value;
	const fields = Object.entries(value).map(([name, field]) => [name, said(field)] as const);
	return Object.fromEntries(
		fields.filter(
			([, field]) =>
				field !== null &&
				field !== undefined &&
				!['[]', '{}'].includes(JSON.stringify(field)) &&
				!(typeof field === 'string' && isBlank(field)),
		),
	);
}

function saysNothing(value: unknown, kind: string): boolean {
	if (value === undefined || value === null) return true;
	if (typeof value === 'string') {
		if (isBlank(value)) return true;
		if (kind === 'list') return listOf(value).length === 0;
		return kind === 'json' && ['[]', '{}'].includes(value.trim());
	}
	if (Array.isArray(value)) return value.every((entry) => entry === '') || value.length === 0;
	return typeof value === 'object' && Object.keys(value).length === 0 && !('toJSON' in value);
}

type Sent = Array<[string, unknown]>;
type Check = (value: unknown, sent: Sent, request: CaughtRequest, field: HostileField) => boolean;

const CHECKS = {
	text: (value, sent) => isWritten(value, sent[0][1]),
	// Without a key of the user, the node makes its own.
	key: (value, sent) =>
		saysNothing(value, 'key')
			? /^[\w-]{43}$/.test(String(sent[0][1]))
			: isWritten(trimmed(value), sent[0][1]),
	// A page holds 250 records at most, and the list goes on for the others.
	limit: (value, sent) => isSameNumber(Math.min(Number(value), 250), sent[0][1]),
	// Fewer if the list itself ends before: Limit is 50.
	pageSize: (value, sent) =>
		isSameNumber(Math.min(saysNothing(value, 'number') ? 50 : Number(value), 50), sent[0][1]),
	// One of two parts; a missing order means ascending.
	sort: (value, sent, _request, { field }) => {
		const [by, direction] = String(sent[0][1]).split(/:(?=[^:]*$)/);
		if (field.name === 'field') return isWritten(trimmed(value), by) && direction === 'asc';
		return by === 'updated_at' && (value ?? 'asc') === direction;
	},
	// Carriers' codes are in lower case.
	lowerCase: (value, sent) =>
		isWritten(typeof value === 'string' ? value.trim().toLowerCase() : value, sent[0][1]),
	trimmed: (value, sent) => isWritten(trimmed(value), sent[0][1]),
	id: (value, sent) =>
		isWritten(typeof value === 'string' ? value.trim() : idIn(value), sent[0][1]),
	name: (_value, sent) => sent.length === 1 && sent[0][1] === 'x',
	boolean: (value, sent) => typeof sent[0][1] === 'boolean' && says(value, sent[0][1]),
	currency: (value, sent) => String(value).trim().toUpperCase() === sent[0][1],
	number: (value, sent) => isSameNumber(value, sent[0][1]),
	// Of a computed number the first 15 digits count.
	amount: (value, sent, _request, { parameters }) =>
		isSameNumber(
			typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(15)) : value,
			sent[0][1],
			isInCents(parameters) ? 0 : 2,
		),
	etag: (value, sent) => isSameTag(value, String(sent[0][1])),
	date: (value, sent) => isSameTime(value, String(sent[0][1])),
	list: (value, sent, _request, { field, parameters }) => {
		// Other Events come after those that were chosen from the list.
		const isBehind =
			field.name === 'otherEvents' && JSON.stringify(parameters).includes('order.paid');
		const expected = listOf(isBehind ? `order.paid,${listOf(value ?? '').join(',')}` : value);
		return isDeepStrictEqual(
			isBehind ? [...new Set(expected)] : expected,
			sent.map(([, one]) => one),
		);
	},
	json: (value, _sent, { text }, field) => isSameJson(value, text, field),
} satisfies Record<string, Check>;

/** How a field’s value appears in the request. */
type Kind = keyof typeof CHECKS;

const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value);

/** n8n itself turns an object in a resource locator into text, or takes the value out of a nested locator. */
function idIn(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	return 'value' in value ? value.value : String(value);
}

function isWritten(value: unknown, sent: unknown): boolean {
	if (typeof value === 'number')
		return String(value) === String(sent) && !String(sent).includes('e');
	return value === sent;
}

/** A decimal as an exact fraction. */
function fractionOf(value: unknown): { mantissa: bigint; exponent: number } | undefined {
	const match = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(String(value).trim());
	if (match === null || match[2] + match[3] === '') return undefined;
	const [, sign, whole, fraction, exponent = '0'] = match;
	return {
		mantissa: BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`),
		exponent: Number(exponent) - fraction.length,
	};
}

const isInCents = ({ options }: IDataObject) =>
	(options as IDataObject | undefined)?.amountsAreIn === 'minor';

/** @param decimals places by which the decimal point moves on the way */
function isSameNumber(value: unknown, sent: unknown, decimals = 0): boolean {
	const [a, b] = [fractionOf(value), fractionOf(sent)];
	if (a === undefined || b === undefined) return false;
	a.exponent += decimals;
	const least = Math.min(a.exponent, b.exponent);
	if (Math.max(a.exponent, b.exponent) - least > 1_000) return false;
	const at = ({ mantissa, exponent }: typeof a) => mantissa * 10n ** BigInt(exponent - least);
	return at(a) === at(b);
}

/** HTTP sends `*`, quoted tags and weak ones unchanged. */
function isSameTag(value: unknown, sent: string): boolean {
	const tag = String(value).trim();
	return sent === (/^(\*|(W\/)?".*")$/.test(tag) ? tag : `"${tag}"`);
}

function isSameTime(value: unknown, sent: string): boolean {
	const sentMs = Date.parse(sent);
	if (value instanceof Date) return value.getTime() === sentMs;
	if (typeof value === 'number') return value === sentMs;
	if (DateTime.isDateTime(value)) return value.toMillis() === sentMs;
	const text = String(value).trim();
	const zone = { zone: 'America/New_York' };
	const read = [
		DateTime.fromISO(text, zone),
		DateTime.fromSQL(text, zone),
		DateTime.fromRFC2822(text),
	].find(({ isValid }) => isValid);
	const fraction = /\.(\d{4,})/.exec(text)?.[1] ?? '';
	return read?.toMillis() === sentMs && sent.includes(fraction);
}

function listOf(value: unknown): string[] {
	const entries = Array.isArray(value)
		? value
		: (listIn(String(value)) ?? String(value).split(','));
	return entries.map((entry) => String(entry).trim()).filter((entry) => entry !== '');
}

/** A list may also be entered as JSON; undefined if it is not. */
function listIn(text: string): unknown[] | undefined {
	try {
		const read = JSON.parse(text) as unknown;
		return Array.isArray(read) ? read : undefined;
	} catch {
		return undefined;
	}
}

const LONG_NUMBER = /-?\d[\d.]{15,}(?:e[+-]?\d+)?/gi;

function isSameJson(value: unknown, text: string, of: HostileField): boolean {
	const { field, path } = of;
	// JSON has no negative zero.
	const written = (typeof value === 'string' ? value : JSON.stringify(value)).replace(
		/-0(?=[\s,}\]]|$)/g,
		'0',
	);
	const isOfRow = path.at(-3) === 'field';
	const kept = LEAVES_OUT.has(field.name) || isOfRow ? said : (entered: unknown) => entered;
	if (
		typeof value !== 'string' &&
		!isDeepStrictEqual(kept(JSON.parse(written)), kept(plain(value)))
	)
		return false;
	for (const [digits] of written.matchAll(LONG_NUMBER)) if (!text.includes(digits)) return false;
	const body = JSON.parse(text) as Record<string, unknown>;
	const whole = JSON.parse(written) as Record<string, unknown>;
	const entered = kept(whole);
	if (field.name === 'variantsJson') return isDeepStrictEqual(body.variants, entered);
	if (field.name === 'itemsJson') return isDeepStrictEqual(body.items, entered);
	// They are sent beside the events that the update needs.
	if (field.name === 'otherFieldsJson' && isDeepStrictEqual(body.events, ['order.paid']))
		delete body.events;
	if (isOfRow) return isDeepStrictEqual(body.a, entered);
	return isDeepStrictEqual(body, entered);
}

/** The value with dates as JSON has them; everything else stays the same. */
export function plain(value: unknown): unknown {
	if (Object.is(value, -0)) return 0;
	if (typeof value !== 'object' || value === null) return value;
	if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON() as unknown;
	if (Array.isArray(value)) return value.map(plain);
	return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}
