/**
 * How long a delivery and the secret of a replaced endpoint are remembered. ms.
 *
 * The platform's last retry comes 26.6 hours after the first attempt (API document, "Retry policy").
 */
export const RETENTION_MS = 27 * 60 * 60 * 1000;
