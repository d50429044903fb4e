import { PlatformError } from './platformError';
import type { PlatformRequest, PlatformResponse } from './request';

/** How far a walk has come. */
export interface Place {
	/** Records before this page. */
	fetched: number;
	/** Leads to this page. */
	cursor?: string;
	/** The query parameter that takes it, where it is not `cursor`. */
	parameter?: string;
	/** The record before this page, by the field of the keyset. */
	key?: string;
	/** The walk's sort, where nobody chose it. */
	sort?: string;
}

/** An error after the first page says what was fetched and where to go on. */
export function resumable(error: unknown, place: Place): unknown {
	if (!(error instanceof PlatformError) || place.fetched === 0) return error;
	const hint = [error.details.hint, resumeHint(place)].filter(Boolean).join(' ');
	return new PlatformError(error.problem, error.request, {
		...error.details,
		...progressOf(place),
		hint,
	});
}

/**
 * The error for an answer that is no page.
 *
 * @param what is wrong with it, as a sentence
 */
export function badPage(
	{ host }: { host: string },
	{ method, path, pathParams }: PlatformRequest,
	{ status, requestId }: PlatformResponse,
	what: string,
	place: Place,
): PlatformError {
	const hint = `${what} ${resumeHint(place)}`.trim();
	return new PlatformError(
		'bad-page',
		{ method, path, pathParams, host },
		{ status, requestId, hint, ...progressOf(place) },
	);
}

function progressOf({ fetched, cursor, parameter, sort }: Place) {
	return cursor === undefined ? {} : { fetched, cursor, cursorParameter: parameter, sort };
}

/** True with On Error set to continue, where the records come out, and without it, where nothing does. */
function resumeHint({ fetched, cursor, parameter, sort }: Place): string {
	if (cursor === undefined) return '';
	const setting =
		parameter === undefined ? 'the option “Start Cursor”' : `the filter “${parameter}”`;
	return [
		`${fetched === 1 ? '1 record' : `${fetched} records`} had been fetched; they come out only where On Error is set to continue.`,
		`To read on after them, set ${setting} to “${cursor}”${sortHint(sort)}. To read everything, run the node again.`,
	].join(' ');
}

/** A cursor belongs to the sort of its walk (API document, "Pagination rules", 3). */
function sortHint(sort: string | undefined): string {
	if (sort === undefined) return '';
	const [field, direction] = sort.split(':');
	return ` and the filter “Sort” to ${field}, ${direction === 'desc' ? 'Descending' : 'Ascending'}`;
}
