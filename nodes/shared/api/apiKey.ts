import { CredentialError } from './credentialError';

/**
 * The credential's API key without surrounding space.
 *
 * @throws CredentialError when there is none, or when no header can carry it
 */
export function checkApiKey(input: unknown): string {
	const apiKey = typeof input === 'string' ? input.trim() : '';
	if (apiKey === '') throw new CredentialError('The API Key is empty.');
	if (!/^[\x21-\x7e]+$/.test(apiKey)) {
		throw new CredentialError(
			'The API Key holds spaces or characters that no key has. Copy it again.',
		);
	}
	return apiKey;
}
