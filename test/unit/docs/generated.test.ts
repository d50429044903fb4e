import { GENERATED, outdatedSchemas } from '../../docs/generated';
import { SourceTexts, VARIES } from '../../docs/sourceTexts';
import { textOf } from '../../support/repository';

const known: Record<string, string> = {};
/** A page as the code gives it now. */
const current = (path: string) => (known[path] ??= GENERATED[path](textOf(path)));

describe('what is generated', () => {
	it.each(Object.keys(GENERATED))(
		'%s is as the code gives it; otherwise `npm run docs` writes it anew',
		(path) => {
			expect(textOf(path)).toBe(current(path));
		},
	);

	it('has no output schema of an operation that is gone; otherwise `npm run docs` removes it', () => {
		expect(outdatedSchemas()).toEqual([]);
	});

	it('leaves no gap in a message where a value differs each time', () => {
		const rows = current('docs/troubleshooting.md')
			.split('\n')
			.filter((line) => line.startsWith('|'));
		expect(rows.length).toBeGreaterThan(100);
		expect(rows.filter((row) => /\S {2}| [,.;:](?: |$)|“”|….…/.test(row))).toEqual([]);
	});

	it('knows of every message about a field what it says', () => {
		const source = new SourceTexts();
		const problems = source.constructions('InputError').map(([, problem]) => problem);
		expect(problems.length).toBeGreaterThan(50);
		const unknown = problems.filter(
			(problem) => source.of(problem).includes(VARIES) && !problem.getText().endsWith('.problem'),
		);
		expect(unknown.map((problem) => problem.parent.getText())).toEqual([]);
	});
});
