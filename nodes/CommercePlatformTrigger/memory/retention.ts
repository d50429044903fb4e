/**
 * How long a delivery and the secret of a replaced endpoint are remembered, unless the user says otherwise. Hours.
 *
 * The platform's last retry comes 26.6 hours after the first attempt (API document, "Retry policy").
 */
export const DEFAULT_RETENTION_HOURS = 27;

/** Two weeks, longer than any schedule of retries. Hours. */
export const MAX_RETENTION_HOURS = 336;

/** The default. ms. */
export const RETENTION_MS = retentionMs(DEFAULT_RETENTION_HOURS);

/** Whether deliveries can be remembered for that many hours. */
export function isRetention(hours: unknown): hours is number {
	return typeof hours === 'number' && hours >= 1 && hours <= MAX_RETENTION_HOURS;
}

/** Hours as ms. The default applies to what {@link isRetention} does not accept. */
export function retentionMs(hours: unknown): number {
	return (isRetention(hours) ? hours : DEFAULT_RETENTION_HOURS) * 60 * 60 * 1000;
}
