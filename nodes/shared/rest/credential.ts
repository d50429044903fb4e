import { createHash } from 'node:crypto';

import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { CredentialError } from './errors';
import { isObject, KEY_PLACEHOLDER } from '../values/json';

/**
 * Reads a credential for a client.
 *
 * @throws CredentialError if the Base URL or the API Key cannot be used
 */
export function readCredential(credential: { baseUrl?: unknown; apiKey?: unknown }) {
	const baseUrl = normaliseBaseUrl(credential.baseUrl);
	const apiKey = checkApiKey(credential.apiKey);
	return {
		baseUrl,
		/** Names the merchant by a hash of Base URL and API key. */
		id: createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('base64'),
		scrub: scrubberOf(apiKey),
	};
}

/**
 * Adds the API key to a request to the Base URL or below it (API document, "Authentication", 1). n8n's HTTP Request
 * node takes this credential too, with any URL. n8n's credential test runs no other code of ours, so both fields are
 * checked here.
 *
 * @throws CredentialError if the Base URL or the API Key cannot be used, or the request goes elsewhere
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
	// By default n8n follows redirects to any origin, with the key.
	requestOptions.sendCredentialsOnCrossOriginRedirect = false;
	return requestOptions;
}

/**
 * Whether a request goes to the Base URL or below it. The HTTP Request node uses n8n's older helper, which names the
 * address `uri`.
 */
function isBelow(
	baseUrl: string,
	{ url, uri = url, baseURL }: IHttpRequestOptions & { uri?: string },
): boolean {
	const target = String(uri ?? '');
	// axios joins the two like this.
	const isWhole = baseURL === undefined || /^([a-z][a-z\d+.-]*:)?\/\//i.test(target);
	const address = isWhole ? target : `${withoutEndSlashes(baseURL)}/${target.replace(/^\/+/, '')}`;
	if (!URL.canParse(address)) return false;
	const { origin, pathname } = new URL(address);
	return `${origin}${pathname}/`.startsWith(`${baseUrl}/`);
}

/** Removes slashes at the end. A pattern would be slow on a text with many slashes in the middle. */
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

/** Addresses of private networks (RFC 1918, RFC 4193) and links (RFC 3927, RFC 4291), as `URL` writes them. */
const PRIVATE_ADDRESSES = [
	/^10(\.\d+){3}$/,
	/^172\.(1[6-9]|2\d|3[01])(\.\d+){2}$/,
	/^192\.168(\.\d+){2}$/,
	/^169\.254(\.\d+){2}$/,
	/^\[f[cd]/,
	/^\[fe[89ab]/,
	/^\[::ffff:(a[\da-f]{2}|ac1[\da-f]|c0a8|a9fe):/,
];

/** Names that only a private network knows, such as a service of Docker Compose or `host.docker.internal`. */
const PRIVATE_NAME = /^[^.:[\]]+$|\.(local|internal|lan)$/;

/** Whether a host name is one of a private network, so that a request to it stays there. */
export function isPrivateHost(hostname: string): boolean {
	const bare = hostname.replace(/\.$/, '');
	return PRIVATE_NAME.test(bare) || PRIVATE_ADDRESSES.some((network) => network.test(bare));
}

/**
 * Brings the Base URL into the one form that requests are built on: no space around it, no slash at the end, a path
 * that ends in `/v1` (API document, "What the service does", fact 1).
 *
 * @param input what the user typed, e.g. `https://api.shop.example/v1/`
 * @returns e.g. `https://api.shop.example/v1`
 * @throws CredentialError that says what is wrong and what to type instead; nothing is guessed
 */
function normaliseBaseUrl(input: unknown): string {
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
	if (protocol === 'http:' && !isLoopbackHost(hostname) && !isPrivateHost(hostname))
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
 * Reads the credential's API key, without space around it.
 *
 * @throws CredentialError if it is empty, or no header can carry it
 */
function checkApiKey(input: unknown): string {
	const apiKey = typeof input === 'string' ? input.trim() : '';
	if (apiKey === '') throw new CredentialError('The API Key is empty.');
	if (!/^[\x21-\x7e]+$/.test(apiKey))
		throw new CredentialError(
			'The API Key holds spaces or characters that no key has. Copy it again.',
		);
	return apiKey;
}

/** Removes the API key from what the platform or n8n gave. */
export interface Scrubber {
	/** In a text for people: a message, a code, a request ID. */
	message(text: string): string;
	/** In a header's value. */
	header(text: string): string;
	/** In JSON, which it parses. @throws SyntaxError */
	parse(json: string): unknown;
}

/** A shorter key may occur in a record by chance, and the record must not be changed then. Characters. */
const MIN_LENGTH_IN_RECORDS = 12;

/** @param apiKey printable ASCII without spaces */
function scrubberOf(apiKey: string): Scrubber {
	const message = (text: string) => text.replaceAll(apiKey, KEY_PLACEHOLDER);
	if (apiKey.length < MIN_LENGTH_IN_RECORDS)
		return { message, header: (text) => text, parse: (json) => JSON.parse(json) as unknown };
	const without = (_name: string, value: unknown) => {
		if (typeof value === 'string') return message(value);
		if (!isObject(value) || !Object.keys(value).some((name) => name.includes(apiKey))) return value;
		return Object.fromEntries(Object.entries(value).map(([name, of]) => [message(name), of]));
	};
	// JSON may write any character as `\uXXXX`, and some with a backslash, e.g. `\/`.
	const escape = /["\\/]/.test(apiKey) ? '\\' : '\\u';
	// Looking at each text takes time, and most answers can do without.
	const parse = (json: string): unknown =>
		JSON.parse(json, json.includes(apiKey) || json.includes(escape) ? without : undefined);
	return { message, header: message, parse };
}
