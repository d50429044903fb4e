import { globSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { WorkflowFile } from '../../support/n8n/types';
import { REPOSITORY, textOf } from '../../support/repository';

const ACTION_NODE = /^n8n-nodes-commerce-platform\.commercePlatform(Tool)?$/;

const files = readdirSync(join(REPOSITORY, 'examples')).filter((file) => file.endsWith('.json'));
const tests = globSync('test/**/*.ts', {
	cwd: REPOSITORY,
	exclude: (path) => path === 'node_modules',
})
	.filter((path) => basename(path) !== basename(__filename))
	.map(textOf)
	.join('\n');

describe.each(files)('the example %s', (file) => {
	const { nodes } = JSON.parse(textOf(`examples/${file}`)) as WorkflowFile;
	const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');

	it('explains itself on the canvas, and says what is left to do', () => {
		expect(String(notes[0]?.parameters.content)).toMatch(/^## .+[\s\S]+\*\*To do:\*\* /);
	});

	it('has nodes of the version that there is', () => {
		const versions = nodes
			.filter(({ type }) => ACTION_NODE.test(type))
			.map(({ typeVersion }) => typeVersion);
		expect(new Set(versions)).toEqual(new Set(versions.length === 0 ? [] : [1]));
	});

	it('is in the README’s list', () => {
		expect(textOf('README.md')).toContain(`(examples/${file})`);
	});

	it('is run by a test', () => {
		expect(tests).toContain(`'${file}'`);
	});
});
