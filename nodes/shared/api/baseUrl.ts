import { CredentialError } from './credentialError';

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Whether a host name addresses this machine itself.
 *
 * @param hostname as `URL#hostname` gives it, e.g. `127.0.0.1` or `[::1]`
 */
export function isLoopbackHost(hostname: string): boolean {
	return LOOPBACK_HOST.test(hostname);
}

/**
 * Brings the credential's base URL into the one form that requests are built on: no surrounding
 * space, no trailing slash, path ending in `/v1` (API document, "What the service does", fact 1).
 *
 * @param input what the user typed, e.g. `https://api.shop.example/v1/`
 * @returns the address without a trailing slash, e.g. `https://api.shop.example/v1`
 * @throws CredentialError that says what is wrong and what to type instead; nothing is guessed
 */
export function normaliseBaseUrl(input: unknown): string {
	const text = typeof input === 'string' ? input.trim() : '';
	if (text === '') {
		throw new CredentialError(
			'The Base URL is empty. Enter the API address of your shop, ending in /v1.',
		);
	}
	const url = parse(text);
	if (url.username !== '' || url.password !== '') {
		throw new CredentialError(
			'The Base URL contains a user name or password. Remove it: the API Key field is all that is needed.',
		);
	}
	if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
		throw new CredentialError(
			'The Base URL contains a “?” or “#”. Enter only the address up to /v1.',
		);
	}
	if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
		throw new CredentialError(
			'The Base URL starts with http://, so the API key would travel unencrypted. Use https://.',
		);
	}
	const path = url.pathname.replace(/\/+$/, '');
	if (!path.endsWith('/v1')) {
		throw new CredentialError(
			'The Base URL does not end in /v1. Every address of this API does: add /v1 to it.',
		);
	}
	return `${url.origin}${path}`;
}

function parse(text: string): URL {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined) {
		throw new CredentialError(
			'The Base URL is not a web address. Enter it whole, e.g. https://api.your-shop.example/v1.',
		);
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw new CredentialError('The Base URL must start with https://.');
	}
	return url;
}
