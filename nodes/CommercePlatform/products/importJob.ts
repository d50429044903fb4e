import type { IDataObject } from 'n8n-workflow';

import { signsOf, snakeCase, verdictOfStatus, wrappersIn } from '../../shared/shop/verdict';
import { isObject } from '../../shared/values/json';
import { describe, wholeOf } from '../../shared/values/readers';
import { objectsIn } from './products';

/** What an answer says about an import job. The document shows no body. */
export interface JobReading {
	/** The platform's ID of the job. */
	id?: string | number;
	/** As the platform calls it. */
	state?: string;
	hasEnded: boolean;
	/** Which field says that the job did not write all products, in words. */
	failure?: string;
	/** Whether the whole job has failed, so that a new job can be started. */
	hasFailedWhole: boolean;
}

/** States in which a job has ended. In any other state it is waited for. */
const FINISHED = /complet|done|finish|succe|processed|imported|^ok$/i;
const FAILED_WHOLE = /^(?:aborted|cancell?ed|error|errored|failed|failure|rejected)$/i;
const STOPPED =
	/partial|incomplete|^(?:cancell?ed|stopped|killed|terminated|expired|timed?_?out|dead)$/i;

/** Names of a job's state. */
const STATE_NAME = /^(?:(?:job|import|task)_)?(?:status|state|phase|outcome|result|conclusion)$/;

/** Flags that are false while a job runs. */
const END_FLAG = /^(?:is_)?(?:done|completed|processed|imported|applied|saved|written|committed)$/;

/** Counts that equal the number of products once a job has written all of them. */
const DONE_COUNT = /^(?:processed|succeeded|successful|success)(?:_(?:count|rows|items|records))?$/;
const TOTAL_COUNT = /^(?:total|total_(?:count|rows|items|records))$/;

/** Names of lists in which a job may report each product. */
const LIST_NAME = /^(?:results?|items|rows|records|operations|products)$/;

/**
 * Reads what an answer says about a job: its state, and whether an error, a flag, a count or a list says that products
 * were not written. All other fields are data.
 *
 * @param body of the answer that started the job, or shows it
 * @param productCount how many products the job was to write
 */
export function readJob(body: unknown, productCount: number): JobReading {
	const parts = isObject(body) ? wrappersIn(body, () => false) : [];
	const fields = parts.flatMap((part) =>
		Object.entries(part).map(([name, value]) => ({ name: snakeCase(name), value })),
	);
	const stateFields = fields.filter(
		({ name, value }) => STATE_NAME.test(name) && typeof value === 'string' && value.trim() !== '',
	);
	const states = stateFields.map(({ value }) => String(value).trim());
	const [state] = states;
	const isFinished =
		state !== undefined && FINISHED.test(state) && verdictOfStatus(state) === 'done';
	const counts = isFinished ? fields : [];
	const total = counts.find(({ name }) => TOTAL_COUNT.test(name));
	const expectedCount = Math.max(productCount, wholeOf(total?.value) ?? 0);
	const failureField =
		parts.flatMap(signsOf).find(isFailure) ??
		stateFields.find(({ value }) => STOPPED.test(String(value).trim())) ??
		counts.find(
			({ name, value }) =>
				DONE_COUNT.test(name) && (wholeOf(value) ?? expectedCount) < expectedCount,
		) ??
		fields.find(({ name, value }) => LIST_NAME.test(name) && objectsIn(value).some(isFailedRow));
	return {
		id: idIn(parts),
		state,
		hasEnded: isFinished || failureField !== undefined,
		failure: failureField && `“${failureField.name}” is ${describe(failureField.value)}`,
		hasFailedWhole: states.some((value) => FAILED_WHOLE.test(value)),
	};
}

const isFailure = ({ name, verdict }: ReturnType<typeof signsOf>[number]): boolean =>
	verdict === 'failed' && !END_FLAG.test(snakeCase(name));

const isFailedRow = (row: IDataObject): boolean =>
	signsOf(row).some(({ verdict }) => verdict === 'failed');

/** The first ID in an answer's objects. */
function idIn(parts: readonly IDataObject[]): string | number | undefined {
	const ids = parts.flatMap(({ id, job_id, jobId }) => [job_id, jobId, id]);
	return ids.find((id) => typeof id === 'string' || typeof id === 'number') as string | undefined;
}
