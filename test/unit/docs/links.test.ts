import { globSync } from 'node:fs';

import { anchorsOf, brokenLinks, linksOf } from '../../docs/links';
import { REPOSITORY } from '../../support/repository';

const documents = globSync(['*.md', '{docs,examples,lab,platform,test,.github}/**/*.md'], {
	cwd: REPOSITORY,
	exclude: (path) => path.includes('node_modules'),
});

describe('links of the documentation', () => {
	it.each(documents)('%s: every link and picture leads somewhere', (path) => {
		expect(brokenLinks(path)).toEqual([]);
	});

	it('finds links and pictures, not code', () => {
		const text =
			'[a](one.md#two) ![b](<c.png>) `[no](code.md)`\n```md\n[no](fence.md)\n```\n<img src="d.png"> <source media="x" srcset="e.png"> [w](https://example.com)';
		expect(linksOf(text)).toEqual(['one.md#two', 'c.png', 'd.png', 'e.png']);
	});

	it('names headings as GitHub does', () => {
		const text = "# The credential's test\n## `npm run docs`, again\n## Twice\n## Twice\n";
		const anchors = ['the-credentials-test', 'npm-run-docs-again', 'twice', 'twice-1'];
		expect(anchorsOf(text)).toEqual(anchors);
	});
});
