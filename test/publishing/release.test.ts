import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { REPOSITORY, textOf } from '../support/repository';
import { foreignAddresses, unpublishable } from './identity';

const manifest = JSON.parse(textOf('package.json')) as {
	name: string;
	version: string;
	homepage: string;
};
const sections = textOf('CHANGELOG.md')
	.split(/^## /m)
	.slice(1)
	.map((text) => ({ title: text.split('\n')[0], hasEntries: /^- /m.test(text) }));

describe('the changelog', () => {
	it('begins with what is not released yet', () => {
		assert.equal(sections[0].title, '[Unreleased]');
	});

	it('has the version of package.json next with its date, or says what the first release has', () => {
		const [unreleased, released] = sections;
		if (released === undefined) return assert.ok(unreleased.hasEntries);
		const { version } = manifest;
		assert.match(released.title, new RegExp(`^\\[${version}\\] - \\d{4}-\\d{2}-\\d{2}$`));
		assert.ok(released.hasEntries);
	});
});

describe('who publishes', () => {
	it('is said by package.json alone: every documentation address begins with its homepage', () => {
		assert.deepEqual(foreignAddresses(), []);
	});

	it('stops no release once each of these files has an address of the publisher’s own', () => {
		const published = (file: string) =>
			textOf(file).replaceAll('commerce-platform.example', 'publisher.test');
		assert.deepEqual(unpublishable(published), []);
	});

	it('is looked for in every shipped file that holds an address of the package', () => {
		const looked = unpublishable(() => 'https://commerce-platform.example');
		const files = globSync(['credentials/**/*', 'nodes/**/*'], { cwd: REPOSITORY }).filter((file) =>
			/\.(?:ts|json)$/.test(file),
		);
		const naming = files.filter((file) => textOf(file).includes(manifest.homepage));
		assert.ok(naming.length > 0);
		assert.deepEqual(
			naming.filter((file) => !looked.includes(file)),
			[],
		);
	});

	it('is looked at before a release, which a reserved example domain stops', () => {
		const command = ['--import', 'tsx', join(__dirname, 'identity.ts')];
		const { status, stderr } = spawnSync(process.execPath, command, {
			cwd: REPOSITORY,
			encoding: 'utf8',
		});
		const isReserved = unpublishable().length > 0;
		assert.equal(status, isReserved ? 1 : 0);
		assert.equal(stderr.includes('package.json'), isReserved);
	});
});

describe('the release tool, dry', () => {
	/** A dry run that ignores the branch and uncommitted work. */
	const dryRun = (...increment: string[]) =>
		spawnSync(
			process.execPath,
			[
				...['--import', 'tsx', join(__dirname, 'release.ts'), ...increment],
				...['--dry-run', '--no-git.requireBranch', '--no-git.requireCleanWorkingDir'],
			],
			{ cwd: REPOSITORY, encoding: 'utf8', timeout: 60_000 },
		);

	it('shows the next version and its changes, or refuses a release without any', () => {
		const before = textOf('package.json') + textOf('CHANGELOG.md');
		const { stdout, stderr } = dryRun('minor');
		const output = stdout + stderr;
		if (sections[0].hasEntries) {
			const [major, minor] = manifest.version.split('.').map(Number);
			assert.match(output, new RegExp(`${manifest.name} \\(.*${major}\\.${minor + 1}\\.0\\)`));
			assert.match(output, /git tag/);
		} else {
			assert.match(output, /no entries under "Unreleased"/);
		}
		assert.equal(textOf('package.json') + textOf('CHANGELOG.md'), before, 'nothing was written');
	});

	it('asks nothing, and says that example domains would stop the release', () => {
		const { status, stderr, signal } = dryRun();
		assert.equal(signal, null, 'it waited for an answer');
		const isReserved = unpublishable().length > 0;
		assert.equal(stderr.includes('still name an example domain'), isReserved);
		if (isReserved) assert.equal(status, 1);
	});
});
