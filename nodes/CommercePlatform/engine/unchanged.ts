import { findUnchanged } from '../bulk/unchanged';
import type { ItemPlan } from './plan';
import type { Run } from './run';

/**
 * Finds the items that would change nothing, where the user wants to leave those out (Only If Changed). The option
 * is the same for all items.
 *
 * @throws PlatformError where the look-up fails
 */
export async function findUnchangedItems(
	run: Run,
	planned: ReadonlyArray<ItemPlan | undefined>,
): Promise<void> {
	const { operation } = run;
	const plans = planned.filter((plan) => plan !== undefined).filter(({ dryRun }) => !dryRun);
	const [first] = plans;
	if (!('changes' in operation) || operation.changes === undefined) return;
	if (first === undefined || !first.onlyIfChanged) return;
	const { source, keyOf, isUnchanged } = operation.changes;
	run.unchanged = await findUnchanged(
		run,
		source,
		plans.map((plan) => ({
			itemIndex: plan.item.itemIndex,
			key: keyOf(plan),
			isUnchanged: (record) => isUnchanged(plan, record),
		})),
	);
}
