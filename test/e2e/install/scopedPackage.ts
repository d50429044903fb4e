import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import execa from 'execa';

import type { WorkflowFile } from '../../support/n8n/types';
import { temporaryFolder } from '../../support/temporaryFolder';
import { SCOPE } from './registry';

const UNSCOPED_NAME = 'n8n-nodes-commerce-platform';
export const SCOPED_NAME = `${SCOPE}/${UNSCOPED_NAME}`;

/**
 * Unpacks a tarball's content under the scope of the registry; only name and version differ.
 *
 * @returns the folder
 */
export async function unpackScoped(tarball: string, version: string): Promise<string> {
	const folder = join(temporaryFolder('scoped'), 'package');
	await mkdir(folder);
	await execa('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	const manifest = join(folder, 'package.json');
	const content = JSON.parse(await readFile(manifest, 'utf8')) as object;
	await writeFile(manifest, JSON.stringify({ ...content, name: SCOPED_NAME, version }, null, 2));
	return folder;
}

/** A workflow with this package's nodes under their scoped names. */
export const scoped = (file: WorkflowFile): WorkflowFile => ({
	...file,
	nodes: file.nodes.map((node) => ({
		...node,
		type: node.type.startsWith(`${UNSCOPED_NAME}.`) ? `${SCOPE}/${node.type}` : node.type,
	})),
});
