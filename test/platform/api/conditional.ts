import { createHash } from 'node:crypto';

/** A strong ETag of a body. */
export function etagOf(text: string): string {
	return `"${createHash('sha1').update(text).digest('base64url')}"`;
}

/** Whether If-None-Match names this ETag (RFC 9110, 13.1.2: weak comparison). */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
	if (ifNoneMatch === undefined) return false;
	if (ifNoneMatch.trim() === '*') return true;
	return ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
