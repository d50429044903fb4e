import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import execa from 'execa';

import { REPOSITORY } from '../support/repository';

const glob = (...patterns: string[]): string[] =>
	patterns.flatMap((pattern) => globSync(pattern, { cwd: REPOSITORY }));

/** The files that `npm publish` would pack after `npm run build`. */
async function packed(): Promise<string[]> {
	const { stdout } = await execa('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
		cwd: REPOSITORY,
	});
	const [{ files }] = JSON.parse(stdout) as Array<{ files: Array<{ path: string }> }>;
	return files.map(({ path }) => path);
}

it('packs what the sources give and the papers, and nothing else', async () => {
	const compiled = glob('nodes/**/*.ts', 'credentials/**/*.ts').map((file) =>
		file.replace(/\.ts$/, '.js'),
	);
	const assets = glob(
		'nodes/**/*.{png,svg}',
		'nodes/**/*.node.json',
		'nodes/**/__schema__/**/*.json',
		'icons/**/*.{png,svg}',
	);
	const papers = ['CHANGELOG.md', 'LICENSE.md', 'README.md', 'package.json'];
	const wanted = [...papers, ...[...compiled, ...assets].map((file) => `dist/${file}`)];
	expect((await packed()).sort()).toEqual(wanted.sort());
});

it('needs nothing else to run, and runs nothing when it is installed', async () => {
	const { dependencies, scripts } = JSON.parse(
		await readFile(join(REPOSITORY, 'package.json'), 'utf8'),
	) as { dependencies?: object; scripts: Record<string, string> };
	expect(dependencies).toBeUndefined();
	expect(Object.keys(scripts).filter((name) => /install$|^prepare$/.test(name))).toEqual([]);
});
