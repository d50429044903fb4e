import { resource, type Handler } from '../api/call';
import type { Budget } from '../api/rateLimit';

const shown = ({ limit, remaining, resetAt }: Budget) => ({
	limit,
	remaining,
	reset: Math.ceil(resetAt / 1_000),
});

/** GET /account: credential data and `rate_limits`; fields not shown. */
const getAccount: Handler = ({ world, key, budgets }) =>
	resource({
		id: 'acct_local',
		name: 'Local shop',
		environment: 'sandbox',
		plan: key.plan ?? world.settings.plan,
		credential: { id: key.id, scopes: [...key.scopes] },
		rate_limits: { minute: shown(budgets.minute), day: shown(budgets.day) },
	});

export const accountHandlers = { getAccount };
