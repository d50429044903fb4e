import type { IHookFunctions } from 'n8n-workflow';

import type { ListedEndpoint } from './ownership';
import type { AccountEndpoints } from './accountEndpoints';
import type { StrandedEndpoint } from '../memory/endpointRecord';

/** Removes one after the other. @returns those that could not be removed */
export async function removeAll(
	context: IHookFunctions,
	account: AccountEndpoints,
	endpoints: ReadonlyArray<Pick<ListedEndpoint, 'id' | 'url'>>,
): Promise<StrandedEndpoint[]> {
	const stranded: StrandedEndpoint[] = [];
	for (const { id, url } of endpoints) {
		try {
			await account.remove(id);
		} catch (error) {
			warn(context, `could not remove webhook endpoint ${id}; the next activation will`, error);
			stranded.push({ id, address: url });
		}
	}
	return stranded;
}

/** Says in n8n's log what went wrong, without stopping for it. */
export function warn(context: IHookFunctions, what: string, error: unknown): void {
	const node = context.getNode().name;
	const reason = error instanceof Error ? error.message : String(error);
	context.logger.warn(`Commerce Platform Trigger "${node}" ${what}: ${reason}`, {
		workflowId: context.getWorkflow().id,
	});
}

/** The account's endpoints; none where it cannot be asked, which is logged. */
export async function listOrWarn(
	context: IHookFunctions,
	account: AccountEndpoints,
): Promise<ListedEndpoint[]> {
	try {
		return await account.list();
	} catch (error) {
		warn(context, 'could not look for duplicates of its new webhook endpoint', error);
		return [];
	}
}
