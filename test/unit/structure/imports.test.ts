import { filesInCircles, importsOf, reachedFrom } from '../../support/structure/imports';
import { sourcesIn } from '../../support/structure/sources';

const shipped = importsOf(sourcesIn('nodes', 'credentials'));

it('has no imports of shipped code that go in a circle, types included', () => {
	expect(filesInCircles(shipped)).toEqual([]);
});

it('keeps in shared/ only what more than one node or credential uses', () => {
	const owners = new Map<string, Set<string>>();
	for (const file of shipped.keys()) {
		const [room, node] = file.split('/');
		if (node === 'shared') continue;
		for (const target of reachedFrom(shipped, file)) {
			const known = owners.get(target) ?? new Set();
			owners.set(target, known.add(room === 'nodes' ? node : room));
		}
	}
	const ofOne = [...shipped.keys()].filter(
		(file) => file.startsWith('nodes/shared/') && (owners.get(file)?.size ?? 0) < 2,
	);
	expect(ofOne).toEqual([]);
});

describe('the check', () => {
	const files = (texts: Record<string, string>) => importsOf(new Map(Object.entries(texts)));

	it.each([
		['a value', "import { b } from './b';"],
		['a type', "import type { B } from './b';"],
		['an export', "export { b } from './b';"],
		['a module for its effect', "import './b';"],
		['a type where it is used', "let b: import('./b').B;"],
	])('finds a circle that is closed by %s', (_what, text) => {
		const imports = files({
			'x/a.ts': text,
			'x/b.ts': "import '../c';",
			'c/index.ts': "import '../x/a';",
		});
		expect(filesInCircles(imports)).toEqual(['x/a.ts', 'x/b.ts', 'c/index.ts']);
	});

	it('takes a file that leads into a circle for none of it', () => {
		const imports = files({
			'a.ts': "import './b';",
			'b.ts': "import './c';",
			'c.ts': "import './b';",
		});
		expect(filesInCircles(imports)).toEqual(['b.ts', 'c.ts']);
	});
});
