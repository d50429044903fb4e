import { GENERATED, textOf } from '../../docs/generated';
import { SourceTexts, VARIES } from '../../docs/sourceTexts';

describe('generated documentation', () => {
	it.each(Object.entries(GENERATED))(
		'%s is as the code gives it; otherwise `npm run docs` writes it anew',
		(path, update) => {
			expect(textOf(path)).toBe(update(textOf(path)));
		},
	);

	it('knows of every message about a field what it says', () => {
		const source = new SourceTexts(['nodes/**/*.ts']);
		const problems = source.constructions('InputError').map(([, problem]) => problem);
		expect(problems.length).toBeGreaterThan(50);
		const unknown = problems.filter(
			(problem) => source.of(problem).includes(VARIES) && !problem.getText().endsWith('.problem'),
		);
		expect(unknown.map((problem) => problem.parent.getText())).toEqual([]);
	});
});
