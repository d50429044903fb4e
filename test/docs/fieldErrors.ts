import { InputError } from '../../nodes/shared/rest/errors';
import { findUnsendable, KEY_PLACEHOLDER } from '../../nodes/shared/values/json';
import { VARIES, type SourceTexts } from './sourceTexts';

const OTHERWISE = 'Correct the value, or the expression that makes it.';

/** A remedy that only repeats what was entered. */
const REPEATS_THE_VALUE = /\s?It is(?: the number)? “?…[^.]*\./g;

/** A text for a field, or for a place within it. */
const NESTED = /^…(: …)+$/;

/** Values of each kind that JSON cannot hold, or that nobody wants in a record. */
const UNSENDABLE = [
	...[undefined, Number.NaN, 2 ** 60, new Map(), new Date(Number.NaN), nested()],
	...['[object Object]', KEY_PLACEHOLDER],
];

/** Messages about a field, each with its remedy, grouped by what they say of the field. */
export function fieldErrors(source: SourceTexts): string[][] {
	const remedies = new Map<string, Set<string>>();
	for (const [field, problem, remedy, sentence] of source.constructions('InputError')) {
		const said = problemsOf(problem.getText(), source.of(problem));
		const begun = said.flatMap((text) =>
			source.of(field).map((name) => new InputError(name.replace(NESTED, VARIES), text).message),
		);
		for (const message of isGiven(sentence) ? source.of(sentence) : begun) {
			const found = source.of(remedy).map((text) => text.replace(REPEATS_THE_VALUE, '').trim());
			remedies.set(message, new Set([...(remedies.get(message) ?? []), ...found]));
		}
	}
	return [...remedies]
		.map(([message, texts]) => {
			const told = [...texts].filter((text) => text !== '' && text !== VARIES);
			return [message, told.join(' *Or:* ') || OTHERWISE];
		})
		.sort(([one], [other]) => wordsOf(one).localeCompare(wordsOf(other)));
}

const isGiven = (argument?: { getText(): string }) =>
	argument !== undefined && argument.getText() !== 'undefined';

/** The key for sorting: what the message says of the field, then the field. */
const wordsOf = (message: string) => message.replace(/^'?(Row …|[^']*)'? (.*)$/, '$2 $1');

/** A value that cannot be sent names itself in the message. */
function problemsOf(written: string, found: string[]): string[] {
	if (!written.endsWith('.problem')) return found;
	return UNSENDABLE.map((value) => findUnsendable(value)?.problem ?? VARIES);
}

function nested(): unknown {
	let value: unknown = [];
	for (let depth = 0; depth < 1_000; depth++) value = [value];
	return value;
}
