import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';

import { TARBALL_VARIABLE } from '../support/n8n/community-package';
import { REPOSITORY } from '../support/repository';
import { temporaryFolder } from '../support/temporaryFolder';

interface Analysis {
	passed: boolean;
	message?: string;
	details?: string;
}

interface Scanner {
	analyzePackage(folder: string, patterns: string[]): Promise<Analysis>;
	SOURCE_FILE_PATTERNS: string[];
}

const SCANNER = '@n8n/scan-community-package/scanner/scanner.mjs';
/** The files of a published tarball that n8n's scanner reads. */
const TARBALL_PATTERNS = ['**/*.js', 'package.json'];

describe("n8n's scanner of community packages", () => {
	let scanner: Scanner;

	before(async () => {
		scanner = (await import(SCANNER)) as Scanner;
	});

	it('finds nothing in the sources', async () => {
		const result = await scanner.analyzePackage(REPOSITORY, scanner.SOURCE_FILE_PATTERNS);
		assert.ok(result.passed, `${result.message}\n${result.details}`);
	});

	it('finds nothing in what npm packs', async () => {
		const folder = temporaryFolder('scan');
		// `npm test` has built; a second build would take dist/ from under the other tests.
		const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
		if (!process.env[TARBALL_VARIABLE]) execFileSync('npm', pack, { cwd: REPOSITORY });
		const tarball = process.env[TARBALL_VARIABLE] ?? '*.tgz';
		execFileSync('sh', ['-c', `tar -xzf ${tarball}`], { cwd: folder });
		const result = await scanner.analyzePackage(join(folder, 'package'), TARBALL_PATTERNS);
		assert.ok(result.passed, `${result.message}\n${result.details}`);
	});

	it('would find what a community node may not do', async () => {
		const folder = temporaryFolder('scan');
		mkdirSync(join(folder, 'nodes', 'Bad'), { recursive: true });
		for (const file of ['package.json', 'credentials']) {
			cpSync(join(REPOSITORY, file), join(folder, file), { recursive: true });
		}
		const source = "export class Bad { name = 'bad'; constructor() { console.log('x'); } }\n";
		writeFileSync(join(folder, 'nodes', 'Bad', 'Bad.node.ts'), source);
		const result = await scanner.analyzePackage(folder, scanner.SOURCE_FILE_PATTERNS);
		assert.match(result.details ?? '', /no-console/);
	});
});
