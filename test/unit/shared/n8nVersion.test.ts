import * as n8nWorkflow from 'n8n-workflow';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NODES = join(__dirname, '../../../nodes');

describe('the check of n8n’s version', () => {
	const loadWith = async (workflowPackage: object) => {
		jest.resetModules();
		jest.doMock('n8n-workflow', () => workflowPackage);
		await import('../../../nodes/shared/n8n');
	};

	it('accepts an n8n that has what the nodes use', async () => {
		await expect(loadWith(n8nWorkflow)).resolves.toBeUndefined();
	});

	it('names the version that is needed if n8n is older', async () => {
		// n8n before 1.87 took `@tool` for the name of a field, which no node has.
		const displayParameter: typeof n8nWorkflow.NodeHelpers.displayParameter = (values, field) =>
			Object.keys(field.displayOptions?.show ?? {}).every((name) => name in values);
		const older = { NodeHelpers: { ...n8nWorkflow.NodeHelpers, displayParameter } };
		await expect(loadWith(older)).rejects.toThrow(/need n8n 1\.87 or newer.*Update n8n/);
	});

	const faces = readdirSync(NODES)
		.map((name) => join(name, `${name}.node.ts`))
		.filter((file) => existsSync(join(NODES, file)));

	it.each(faces)('is made by %s before anything else', (file) => {
		const imports =
			readFileSync(join(NODES, file), 'utf8').match(/^import .*$|^\} from .*$/gm) ?? [];
		const ours = imports.filter((line) => line.includes("'."));
		expect(ours[0]).toBe("import '../shared/n8n';");
	});
});
