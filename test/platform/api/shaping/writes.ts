import type { Dialect } from '../../dialects/dialect';
import type { Answer } from '../call';
import type { Documented } from './documented';

/** Status of a create whose answer has a body (`createStatus`). */
export function createStatus(status: number, { isCreate }: Documented, dialect: Dialect): number {
	return isCreate && dialect.createStatus === 'ok' ? 200 : status;
}

type Bodiless = (answer: Answer, documented: Documented, location: string | undefined) => Answer;

const withoutBody = (answer: Answer, status: number): Answer => ({
	...answer,
	status,
	text: undefined,
});

const BODILESS: Readonly<Record<Exclude<Dialect['writeAnswer'], 'record'>, Bodiless>> = {
	empty: (answer) => withoutBody(answer, answer.status),
	accepted: (answer) => withoutBody(answer, 202),
	noContent: (answer) => withoutBody(answer, 204),
	location: (answer, { isCreate }, location) =>
		isCreate && location !== undefined
			? { ...withoutBody(answer, 201), headers: { ...answer.headers, location } }
			: withoutBody(answer, 204),
};

/**
 * The answer to a write as this platform gives it (`writeAnswer`).
 *
 * @param target path of the request.
 * @param id of the record that the write made or changed.
 */
export function writeAnswer(
	answer: Answer,
	documented: Documented,
	{ dialect, target, id }: { dialect: Dialect; target: string; id: unknown },
): Answer {
	if (documented.isNeeded || dialect.writeAnswer === 'record') return answer;
	const location = typeof id === 'string' ? `${target.split('?')[0]}/${id}` : undefined;
	return BODILESS[dialect.writeAnswer](answer, documented, location);
}
