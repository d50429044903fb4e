import type { IDataObject } from 'n8n-workflow';

/** One mistake: the operation's parameters, and the field that the error must name. */
export interface Mistake {
	operation: string;
	what: string;
	parameters: IDataObject;
	names: string;
}

export const mistake = (
	operation: string,
	what: string,
	parameters: IDataObject,
	names: string,
): Mistake => ({ operation, what, parameters, names });
