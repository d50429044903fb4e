/** The plans of the API document's table (Limits). */
export type Plan = 'starter' | 'business' | 'platform' | 'enterprise';

export interface PlanLimits {
	/** Requests in one minute window. */
	minuteBudget: number;
	/** Requests in one UTC day. */
	dayBudget: number;
	/** Operations in one `POST /products/batch`. The value above Business is not shown: 500 is chosen. */
	batchOperations: number;
}

export const PLANS: Readonly<Record<Plan, PlanLimits>> = {
	starter: { minuteBudget: 100, dayBudget: 20_000, batchOperations: 100 },
	business: { minuteBudget: 300, dayBudget: 100_000, batchOperations: 100 },
	platform: { minuteBudget: 600, dayBudget: 250_000, batchOperations: 500 },
	enterprise: {
		minuteBudget: 1_200,
		dayBudget: 1_000_000,
		batchOperations: 500,
	},
};
