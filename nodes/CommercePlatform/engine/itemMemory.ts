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
	private readonly byExecution = new WeakMap<object, Map<number, Map<number, Value>>>();
	/** The values of a context's run: n8n makes the run's number anew for each item that asks for it. */
	private readonly byContext = new WeakMap<object, Map<number, Value>>();

	/** An item's value; where runs cannot be told apart, nothing is kept. */
	of(context: Execution, itemIndex: number): Remembered<Value> {
		const values = this.byContext.get(context) ?? this.valuesOf(context, itemIndex);
		if (values === undefined) return NOTHING;
		this.byContext.set(context, values);
		return {
			get: () => values.get(itemIndex),
			set: (value) => void values.set(itemIndex, value),
			delete: () => void values.delete(itemIndex),
		};
	}

	private valuesOf(context: Execution, itemIndex: number): Map<number, Value> | undefined {
		if (executionIdOf(context) === undefined) return undefined;
		// n8n keeps one such object for a node of an execution.
		const execution = context.getContext('node');
		const runs = this.byExecution.get(execution) ?? new Map<number, Map<number, Value>>();
		this.byExecution.set(execution, runs);
		const runIndex = context.getWorkflowDataProxy(itemIndex).$runIndex as number;
		const values = runs.get(runIndex) ?? new Map<number, Value>();
		runs.set(runIndex, values);
		return values;
	}
}
