import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';

import { CommercePlatformApi } from '../../credentials/CommercePlatformApi.credentials';

const NODES = ['CommercePlatform', 'CommercePlatformTrigger', 'CommercePlatformChangesTrigger'];

/** The properties in which n8n descriptions have texts for users. */
const SHOWN = new Set(['action', 'description', 'displayName', 'hint', 'name', 'placeholder']);

/** All texts of a node or credential that users read, each once. Texts without a blank are names of parameters. */
function textsIn(value: unknown, isShown = false): string[] {
	if (typeof value === 'string') return isShown && value.includes(' ') ? [value] : [];
	if (typeof value !== 'object' || value === null) return [];
	const inside = Array.isArray(value)
		? value.flatMap((one) => textsIn(one, isShown))
		: Object.entries(value).flatMap(([name, one]) =>
				textsIn(one, SHOWN.has(name) || name === 'triggerPanel' || isShown),
			);
	return [...new Set(inside)];
}

/** The description of a node by the name of its folder. */
// Not imported: tools take a path that ends in .node for a compiled module.
/* eslint-disable @typescript-eslint/no-require-imports */
export const descriptionOf = (name: string): INodeTypeDescription => {
	const path = join(__dirname, '..', '..', 'nodes', name, `${name}.node.ts`);
	const exported = require(path) as Record<string, new () => { description: INodeTypeDescription }>;
	return new exported[name]().description;
};
/* eslint-enable @typescript-eslint/no-require-imports */

/** All texts of the nodes and of the credential, by where each is first shown. */
export const textsOfNodes = (): Array<[node: string, texts: string[]]> => {
	const seen = new Set<string>();
	const shown = [...NODES.map(descriptionOf), new CommercePlatformApi()];
	return shown.map((one) => {
		const texts = textsIn(one).filter((text) => !seen.has(text));
		for (const text of texts) seen.add(text);
		return [one.displayName, texts];
	});
};

/** Labels of parameters, and names of what they offer, wherever a description has them. */
function labelsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	const inside = Object.values(value).flatMap(labelsIn);
	const { displayName, name } = value as Record<string, unknown>;
	const label = displayName ?? name;
	return typeof label === 'string' && /^[A-Z]/.test(label) ? [label, ...inside] : inside;
}

/** The labels of all nodes and of the credential, as their panels show them. */
export const labelsOfNodes = (): Set<string> =>
	new Set([...NODES.map(descriptionOf), new CommercePlatformApi()].flatMap(labelsIn));

/** The text as the panel shows it: without the tags of n8n’s links and bold words. */
export const plainText = (text: string): string => text.replaceAll(/<[^>]*>/g, '');
