import { GENERATED, outdatedSchemas } from '../../docs/generated';
import { SourceTexts, VARIES } from '../../docs/sourceTexts';
import { textOf } from '../../support/repository';

describe('what is generated', () => {
	it.each(Object.entries(GENERATED))(
		'%s is as the code gives it; otherwise `npm run docs` writes it anew',
		(path, update) => {
			expect(textOf(path)).toBe(update(textOf(path)));
		},
	);

	it('has no output schema of an operation that is gone; otherwise `npm run docs` removes it', () => {
		expect(outdatedSchemas()).toEqual([]);
	});

	it('leaves no gap in a message where a value differs each time', () => {
		const page = 'docs/troubleshooting.md';
		const rows = GENERATED[page](textOf(page))
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
