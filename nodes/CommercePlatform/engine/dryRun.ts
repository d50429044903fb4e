import { costText, requestCost } from '../bulk/requestCost';

/** The sentence at the end of a dry run. */
export function dryRunHint(requests: number, known: Parameters<typeof requestCost>[1]): string {
	return `Dry run: nothing was written. It would be ${costText(requestCost(requests, known))}`;
}
