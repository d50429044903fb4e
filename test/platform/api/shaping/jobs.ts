import type { Dialect } from '../../dialects/dialect';
import type { Fields, RecordStage } from './recordStage';

const CAPITALS: Readonly<Record<string, string>> = {
	queued: 'PENDING',
	running: 'IN_PROGRESS',
	completed: 'SUCCEEDED',
	failed: 'FAILED',
};

const PHASES: Readonly<Record<string, string>> = {
	queued: 'waiting',
	running: 'active',
	completed: 'done',
	failed: 'aborted',
};

const STATES: Readonly<Record<Dialect['jobStates'], (job: Fields) => Fields>> = {
	status: (job) => job,
	state: ({ status, ...job }) => ({ ...job, state: CAPITALS[String(status)] }),
	nested: ({ id, status, ...job }) => ({ job: { id, phase: PHASES[String(status)] }, ...job }),
};

const ERRORS: Readonly<Record<Dialect['jobErrors'], (job: Fields) => Fields>> = {
	listed: (job) => job,
	counted: ({ errors: _errors, ...job }) => job,
	absent: ({ errors: _errors, failed: _failed, succeeded: _succeeded, ...job }) => job,
};

/** Records of import jobs (`jobStates`, `jobErrors`). */
export const jobRecords: RecordStage = (record, { kind }, dialect) =>
	kind === 'job' ? STATES[dialect.jobStates](ERRORS[dialect.jobErrors](record)) : record;
