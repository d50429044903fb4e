/**
 * Requests in one minute and in one UTC day, and operations in one `POST /products/batch`. Above Business the API
 * document does not show the number of operations; 500 is our choice.
 */
export const PLANS = {
	starter: { minuteBudget: 100, dayBudget: 20_000, batchOperations: 100 },
	business: { minuteBudget: 300, dayBudget: 100_000, batchOperations: 100 },
	platform: { minuteBudget: 600, dayBudget: 250_000, batchOperations: 500 },
	enterprise: { minuteBudget: 1_200, dayBudget: 1_000_000, batchOperations: 500 },
};

/** The plans of the API document's table (Limits). */
export type Plan = keyof typeof PLANS;

export type PlanLimits = (typeof PLANS)[Plan];
