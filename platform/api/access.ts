import { Refusal, type RefusalCode } from '../shop/refusal';
import { formOf } from '../dialects/form';
import type { Dialect } from '../dialects/dialect';
import type { ApiKey } from './keys';
import type { Operation } from './contract';
import type { Settings } from '../settings';

/** The scope that an operation needs; for some the document names none (`accountScope`, `categoryScope`). */
function scopeOf({ id, scope }: Operation, dialect: Dialect): string | undefined {
	if (id === 'getAccount') return dialect.accountScope === 'own' ? 'account.read' : undefined;
	const isOpen = id === 'listCategories' || id === 'createCategory';
	return isOpen && dialect.categoryScope === 'none' ? undefined : scope;
}

/**
 * Checks that the key may use the endpoint and that the endpoint is released. The API document does not show which
 * scope each endpoint needs: openapi.yaml chooses (x-scope, x-plan, x-in-development).
 *
 * @throws Refusal INSUFFICIENT_SCOPE, PLAN_REQUIRED or IN_DEVELOPMENT; for the event stream, the refusal that the
 *   dialect names
 */
export function requireAccess(operation: Operation, key: ApiKey, settings: Settings): void {
	const { plan, inDevelopment } = operation;
	const scope = scopeOf(operation, settings.dialect);
	if (scope !== undefined && !key.scopes.includes(scope)) {
		throw new Refusal('INSUFFICIENT_SCOPE', `This key lacks the scope ${scope}`);
	}
	const refusalCode = formOf<RefusalCode>('eventStream', settings.dialect);
	if (refusalCode && operation.id === 'listEvents')
		throw new Refusal(refusalCode, 'The event stream is not offered here');
	if (plan !== undefined && (key.plan ?? settings.plan) !== plan) {
		throw new Refusal('PLAN_REQUIRED', `This endpoint needs the plan ${plan}`);
	}
	if (inDevelopment !== undefined && !settings.inDevelopment[inDevelopment]) {
		const code = formOf<RefusalCode>('inDevelopmentError', settings.dialect)!;
		throw new Refusal(code, 'This endpoint is in development and not released yet');
	}
}
