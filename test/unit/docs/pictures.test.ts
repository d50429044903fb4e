import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { NodeHelpers, type INode, type INodeProperties } from 'n8n-workflow';

import { descriptionOf, plainText } from '../../docs/texts';
import { REPOSITORY, textOf } from '../../support/repository';

type Panel = Pick<INode, 'type' | 'typeVersion' | 'parameters'> & { labels: string[] };

const IMAGES = 'docs/images';

/** Labels that n8n itself puts into a panel. */
const OF_N8N = new Set(['Credential', 'Poll Times', 'Mode', 'Value', 'Unit']);

/** What the pictures of panels showed when they were taken; `npm run screenshots` notes it. */
const panels = Object.entries(JSON.parse(textOf(`${IMAGES}/panels.json`)) as Record<string, Panel>);

/** Names of nodes by their type, as a workflow has it. */
const nameOf = (type: string) => type.replace(/^.*\.c/, 'C');

/** The labels that the panel has today, for the same parameters. */
function labelsToday({ type, typeVersion, parameters }: Panel): string[] {
	const description = descriptionOf(nameOf(type));
	const values = NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		true,
		false,
		{ typeVersion },
		description,
	);
	const labelsOf = (property: INodeProperties): string[] => {
		const label = plainText(property.displayName);
		const entered = parameters[property.name];
		if (property.type !== 'collection' || typeof entered !== 'object') return [label];
		const inside = (property.options ?? []) as INodeProperties[];
		return [label, ...inside.filter(({ name }) => name in entered!).flatMap(labelsOf)];
	};
	return description.properties
		.filter(
			(property) =>
				property.type !== 'hidden' &&
				property.isNodeSetting !== true &&
				// n8n shows these under Settings.
				property.name !== 'requestOptions' &&
				NodeHelpers.displayParameter(values!, property, { typeVersion }, description),
		)
		.flatMap(labelsOf);
}

it.each(panels)('the picture %s shows the labels of today’s panel', (_name, panel) => {
	const ours = panel.labels.filter((label) => !OF_N8N.has(label));
	expect(ours).toEqual(labelsToday(panel));
});

it('has every picture in a page, and no other', () => {
	const pages = globSync(['README.md', 'docs/*.md'], { cwd: REPOSITORY });
	const used = pages.flatMap((path) =>
		[...textOf(path).matchAll(/images\/([\w-]+\.png)/g)].map(([, name]) => name),
	);
	const taken = globSync(`${IMAGES}/*.png`, { cwd: REPOSITORY }).map((path) => basename(path));
	expect(taken.sort()).toEqual([...new Set(used)].sort());
	for (const [name] of panels) expect(taken).toContain(`${name}.png`);
});
