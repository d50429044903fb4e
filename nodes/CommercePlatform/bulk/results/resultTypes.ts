import type { IDataObject } from 'n8n-workflow';

/** What the platform says of an operation that it refused. */
export interface OperationError {
	/** HTTP's meaning, e.g. 422. */
	status?: number;
	/** The platform's own code, e.g. `INVALID_PARAMETER`. */
	code?: string;
	message?: string;
	requestId?: string;
}

/** What became of one operation of a batch. */
export type OperationResult =
	/** Written. `record` is the product, where the answer shows it. */
	| { kind: 'done'; record?: IDataObject }
	| { kind: 'failed'; error: OperationError }
	/** It may be written or not: the answer does not say it in a way that has one reading. */
	| { kind: 'notConfirmed'; reason: string };

/** One result of an answer, before it is known to which operation it belongs. */
export interface ResultEntry {
	value: unknown;
	/** What the list that holds it says of all its results. */
	listSays?: 'done' | 'failed';
}
