import type { PlatformError } from './platformError';

/** What error messages may say of the operation that failed. */
export interface ErrorContext {
	/** The resource in the user's words, e.g. `order`. */
	noun: string;
	/** The scope that it probably needs, from the API document's groups. */
	scope?: string;
	/** What the platform asks for beyond a scope, as a sentence. */
	permission?: string;
	/** The platform may not have released the endpoint for this account yet. */
	inDevelopment?: boolean;
	/** What to do while the endpoint is not released. */
	meanwhile?: string;
}

/** What happened, and what to do about it. */
export interface ErrorText {
	message: string;
	description: string;
}

/** Puts one kind of error in words. */
export type Say = (error: PlatformError, context: ErrorContext) => ErrorText;
