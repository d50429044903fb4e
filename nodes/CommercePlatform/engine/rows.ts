import type { IDataObject } from 'n8n-workflow';

/** How one record becomes several items. */
export interface Rows {
	/** The value of the option Output. */
	output: string;
	/** What there is of a record, in the order in which the record has it. */
	of(record: IDataObject): IDataObject[];
	/** Whether a record of the list says all that it takes; if not, the record is read by a request of its own. */
	isWhole(record: IDataObject): boolean;
	/** What to say of records that do not say it even then, before their number. */
	missing: string;
	/** e.g. `/orders/{id}` */
	recordPath: string;
}
