/** Why the credential's address or key cannot be used, in words for the person who typed it. */
export class CredentialError extends Error {
	override readonly name = 'CredentialError';
}
