import type { IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

/** What either of n8n's contexts tells of the execution. */
type Execution = Pick<
	IExecuteFunctions | IExecuteSingleFunctions,
	'getContext' | 'getExecutionId' | 'getNode' | 'getWorkflowDataProxy'
>;

/**
 * The execution, as far as it tells one run of a node from another.
 *
 * @returns undefined for AI tools: agents and MCP clients call a tool any number of times in one execution and
 *   run, or in none, and each call means something new
 */
export function executionIdOf(
	context: Pick<Execution, 'getExecutionId' | 'getNode'>,
): string | undefined {
	// Outside any execution n8n has no ID, whatever its type says.
	const executionId: string | undefined = context.getExecutionId();
	return context.getNode().type.endsWith('Tool') ? undefined : executionId;
}

/** One item's value. */
interface Remembered<Value> {
	get(): Value | undefined;
	set(value: Value): void;
	delete(): void;
}

const NOTHING = {
	get: () => undefined,
	set: () => undefined,
	delete: () => undefined,
};

/**
 * A value for each input item of a node's runs, kept as long as their execution is in this process. It outlives
 * n8n's Retry On Fail, which runs the node again, and nothing of it is stored.
 */
export class ItemMemory<Value> {
	private readonly byExecution = new WeakMap<object, Map<string, Value>>();

	/** An item's value; where runs cannot be told apart, nothing is kept. */
	of(context: Execution, itemIndex: number): Remembered<Value> {
		if (executionIdOf(context) === undefined) return NOTHING;
		// n8n keeps one such object for a node of an execution.
		const execution = context.getContext('node');
		const values = this.byExecution.get(execution) ?? new Map<string, Value>();
		this.byExecution.set(execution, values);
		const place = `${context.getWorkflowDataProxy(itemIndex).$runIndex as number}:${itemIndex}`;
		return {
			get: () => values.get(place),
			set: (value) => void values.set(place, value),
			delete: () => void values.delete(place),
		};
	}
}
