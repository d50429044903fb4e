import { Refusal } from '../shop/refusal';
import type { ApiKey } from './keys';
import type { Operation } from './contract';
import type { Settings } from '../settings';

/**
 * Whether a key may use an endpoint, and whether the endpoint is released. Which scope each endpoint
 * needs is not shown: openapi.yaml holds the choice (x-scope, x-plan, x-in-development).
 *
 * @throws Refusal INSUFFICIENT_SCOPE, PLAN_REQUIRED or IN_DEVELOPMENT.
 */
export function requireAccess(operation: Operation, key: ApiKey, settings: Settings): void {
	const { scope, plan, inDevelopment } = operation;
	if (scope !== undefined && !key.scopes.has(scope)) {
		throw new Refusal('INSUFFICIENT_SCOPE', `This key lacks the scope ${scope}`);
	}
	if (plan !== undefined && (key.plan ?? settings.plan) !== plan) {
		throw new Refusal('PLAN_REQUIRED', `This endpoint needs the plan ${plan}`);
	}
	if (inDevelopment !== undefined && !settings.inDevelopment[inDevelopment]) {
		throw new Refusal('IN_DEVELOPMENT', 'This endpoint is in development and not released yet');
	}
}
