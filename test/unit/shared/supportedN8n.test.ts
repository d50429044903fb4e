import * as n8nWorkflow from 'n8n-workflow';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { requireSupportedN8n } from '../../../nodes/shared/supportedN8n';

const NODES = join(__dirname, '../../../nodes');

describe('the check of n8n’s version', () => {
	it('lets an n8n pass that has what the nodes use', () => {
		expect(() => requireSupportedN8n(n8nWorkflow)).not.toThrow();
	});

	it('names the version that is needed where n8n is older', () => {
		const { NodeConnectionTypes, ...older } = n8nWorkflow;
		expect(NodeConnectionTypes.Main).toBe('main');
		expect(() => requireSupportedN8n(older)).toThrow(/need n8n 1\.85 or newer.*Update n8n/);
	});

	it.each(globSync('*/*.node.ts', { cwd: NODES }))('is made by %s before anything else', (file) => {
		const imports =
			readFileSync(join(NODES, file), 'utf8').match(/^import .*$|^\} from .*$/gm) ?? [];
		const ours = imports.filter((line) => line.includes("'."));
		expect(ours[0]).toBe("import '../shared/supportedN8n';");
	});
});
