import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { CredentialError } from '../errors/errors';
import { KEY_PLACEHOLDER } from '../values/json';

/** A shorter key may stand in a record by chance, and a record must not be changed then. Characters. */
const MIN_LENGTH_IN_RECORDS = 12;

/**
 * Adds the API key to a request to the Base URL or below it (API document, "Authentication", 1), whoever sends it: n8n's
 * HTTP Request node takes this credential too, with any URL. Also the place where n8n's credential test meets the
 * checks of both fields, since nothing else of ours runs there.
 *
 * @throws CredentialError when the Base URL or the API Key cannot be used, or the request goes elsewhere
 */
export async function authenticate(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const baseUrl = normaliseBaseUrl(credentials.baseUrl);
	const apiKey = checkApiKey(credentials.apiKey);
	if (!isBelow(baseUrl, requestOptions))
		throw new CredentialError(
			`This credential’s API Key is sent to ${baseUrl} and the addresses below it only, and the request goes elsewhere. Nothing was sent.`,
		);
	requestOptions.headers = { ...requestOptions.headers, Authorization: `Bearer ${apiKey}` };
	// n8n follows redirects to any origin with the key by default.
	requestOptions.sendCredentialsOnCrossOriginRedirect = false;
	return requestOptions;
}

/** n8n's older helper, which the HTTP Request node uses, names the address `uri`. */
function isBelow(
	baseUrl: string,
	{ url, uri = url, baseURL }: IHttpRequestOptions & { uri?: string },
): boolean {
	const target = String(uri ?? '');
	// As axios joins the two.
	const isWhole = baseURL === undefined || /^([a-z][a-z\d+.-]*:)?\/\//i.test(target);
	const address = isWhole ? target : `${withoutEndSlashes(baseURL)}/${target.replace(/^\/+/, '')}`;
	if (!URL.canParse(address)) return false;
	const { origin, pathname } = new URL(address);
	return `${origin}${pathname}/`.startsWith(`${baseUrl}/`);
}

/** A pattern would look at each of many slashes in the middle again. */
function withoutEndSlashes(text: string): string {
	let end = text.length;
	while (text[end - 1] === '/') end--;
	return text.slice(0, end);
}

/**
 * Whether a host name addresses this machine itself.
 *
 * @param hostname as `URL#hostname` gives it, e.g. `127.0.0.1` or `[::1]`
 */
export const isLoopbackHost = (hostname: string): boolean =>
	/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);

/**
 * Brings the credential's base URL into the one form that requests are built on: no surrounding
 * space, no trailing slash, path ending in `/v1` (API document, "What the service does", fact 1).
 *
 * @param input what the user typed, e.g. `https://api.shop.example/v1/`
 * @returns the address without a trailing slash, e.g. `https://api.shop.example/v1`
 * @throws CredentialError that says what is wrong and what to type instead; nothing is guessed
 */
export function normaliseBaseUrl(input: unknown): string {
	if (checked === undefined || input !== checked.input)
		checked = { input, address: addressOf(input) };
	return checked.address;
}

/** The latest address that can be used: n8n asks for the same one before every request. */
let checked: { input: unknown; address: string } | undefined;

function addressOf(input: unknown): string {
	const text = typeof input === 'string' ? input.trim() : '';
	if (text === '')
		throw new CredentialError(
			'The Base URL is empty. Enter the API address of your shop, ending in /v1.',
		);
	if (!URL.canParse(text))
		throw new CredentialError(
			'The Base URL is not a web address. Enter it whole, e.g. https://api.your-shop.example/v1.',
		);
	const { protocol, username, password, hostname, origin, pathname } = new URL(text);
	if (protocol !== 'https:' && protocol !== 'http:')
		throw new CredentialError('The Base URL must start with https://.');
	if (username !== '' || password !== '')
		throw new CredentialError(
			'The Base URL contains a user name or password. Remove it: the API Key field is all that is needed.',
		);
	if (/[?#]/.test(text))
		throw new CredentialError(
			'The Base URL contains a “?” or “#”. Enter only the address up to /v1.',
		);
	if (protocol === 'http:' && !isLoopbackHost(hostname))
		throw new CredentialError(
			'The Base URL starts with http://, so the API key would travel unencrypted. Use https://.',
		);
	const path = withoutEndSlashes(pathname);
	if (!path.endsWith('/v1'))
		throw new CredentialError(
			'The Base URL does not end in /v1. Every address of this API does: add /v1 to it.',
		);
	return `${origin}${path}`;
}

/**
 * The credential's API key without surrounding space.
 *
 * @throws CredentialError when there is none, or when no header can carry it
 */
export function checkApiKey(input: unknown): string {
	const apiKey = typeof input === 'string' ? input.trim() : '';
	if (apiKey === '') throw new CredentialError('The API Key is empty.');
	if (!/^[\x21-\x7e]+$/.test(apiKey))
		throw new CredentialError(
			'The API Key holds spaces or characters that no key has. Copy it again.',
		);
	return apiKey;
}

/** Takes the API key out of texts that came from outside. A text without the key costs a search. */
export interface Scrubber {
	/** Out of a text for people: a message, a code, a request id. */
	message(text: string): string;
	/** Out of a header's value. */
	header(text: string): string;
	/** Out of a JSON text, as JSON writes the key; it stays JSON. */
	json(text: string): string;
}

/** @param apiKey printable ASCII without spaces */
export function scrubberOf(apiKey: string): Scrubber {
	const message = (text: string) => text.replaceAll(apiKey, KEY_PLACEHOLDER);
	const asItIs = (text: string) => text;
	if (apiKey.length < MIN_LENGTH_IN_RECORDS) return { message, header: asItIs, json: asItIs };
	const written = JSON.stringify(apiKey).slice(1, -1);
	const forms = [...new Set([written, written.replaceAll('/', '\\/')])];
	const pattern = forms.map((form) => form.replace(/\W/g, '\\$&')).join('|');
	// Every escape is matched as well, so that no match begins in the middle of one.
	const keyOrEscape = new RegExp(`(${pattern})|\\\\.`, 'gs');
	const json = (text: string) =>
		forms.some((form) => text.includes(form))
			? text.replace(keyOrEscape, (match, found?: string) =>
					found === undefined ? match : KEY_PLACEHOLDER,
				)
			: text;
	return { message, header: message, json };
}
