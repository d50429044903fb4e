import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, it } from 'node:test';

import { Progress } from '../../support/progress';
import { ensureHost } from '../../support/n8n/host';
import { REPOSITORY, textOf } from '../../support/repository';

/** Where n8n has the words of its editor, and of the nodes and settings that the pages name. */
const WORDS = [
	'n8n-editor-ui/dist/assets/*.js',
	'n8n-core/dist/nodes-loader/constants.js',
	'n8n-nodes-base/dist/nodes/SpreadsheetFile/description.js',
	'n8n-nodes-base/dist/nodes/HttpRequest/V3/Description.js',
];

/** Labels of n8n that the pages name alone. */
const ALONE = [
	'Delimiter',
	'Encoding',
	'Execute step',
	'Executions',
	'Fetch Test Event',
	'Install a community node',
	'Let the model define this parameter',
	'Predefined Credential Type',
	'Retry On Fail',
	'Batching',
	'Ignore SSL Issues',
	'Proxy',
	'Timeout',
];

/** What this package names itself, in ways that begin in n8n. */
const OURS = new Set(['Commerce Platform API', '⋯']);

const pages = globSync(['README.md', 'SECURITY.md', 'docs/*.md'], { cwd: REPOSITORY })
	.map(textOf)
	.join('\n');

/** Parts of a way through n8n's menus, e.g. `**Settings → Community nodes**`. */
const ways = [
	...pages.matchAll(/\*\*((?:Settings|Credentials|⋯|On Error|Authentication) → [^*]+)\*\*/g),
]
	.flatMap(([, way]) => way.split(' → '))
	.filter((part) => !OURS.has(part));

let words = '';

before(async () => {
	const { folder } = await ensureHost(new Progress());
	const cwd = join(folder, 'node_modules');
	words = globSync(WORDS, { cwd })
		.map((path) => readFileSync(join(cwd, path), 'utf8'))
		.join('\n');
});

it('pages name parts of n8n as the installed n8n does', () => {
	assert.ok(ways.length > 10, String(ways.length));
	for (const label of new Set([...ways, ...ALONE])) {
		assert.ok(pages.includes(label), `no page names ${label}`);
		const isThere = ['`', "'", '"'].some(
			(mark) => words.includes(`${mark}${label}${mark}`) || words.includes(`${mark}${label} (`),
		);
		assert.ok(isThere, `n8n has no ${label}`);
	}
});
