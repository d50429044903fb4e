import type { ILoadOptionsFunctions, INodeParameters } from 'n8n-workflow';

import { additionalData } from '../../support/engine/additionalData';
import type { ShopAccess } from '../../support/engine/credentialsHelper';
import { n8nCore } from '../../support/engine/n8nCore';
import { RESULT_NODE, workflowOf } from '../../support/engine/workflow';

/* eslint-disable @typescript-eslint/no-require-imports -- after n8nCore, which gives n8n-core a folder */
const { CommercePlatform } =
	require('../../../nodes/CommercePlatform/CommercePlatform.node.ts') as typeof import('../../../nodes/CommercePlatform/CommercePlatform.node.ts');
/* eslint-enable @typescript-eslint/no-require-imports */

export const node = new CommercePlatform();

export type Search = keyof typeof node.methods.listSearch;

/**
 * The context that n8n passes to a search or a list of options in the editor.
 *
 * @param parameters the parameters entered so far
 */
export function editing(
	{ baseUrl, apiKey }: ShopAccess,
	parameters: INodeParameters = {},
): ILoadOptionsFunctions {
	const options = { parameters: {}, credentials: { baseUrl, apiKey } };
	const workflow = workflowOf(options, node);
	const additional = { ...additionalData(options), currentNodeParameters: parameters };
	return new n8nCore.LoadOptionsContext(
		workflow,
		workflow.getNode(RESULT_NODE)!,
		additional,
		'parameters.productId',
	);
}

/** One page of a search, as “From List” shows it. */
export const search = async (
	access: ShopAccess,
	name: Search,
	{
		filter,
		token,
		parameters,
	}: { filter?: string; token?: string; parameters?: INodeParameters } = {},
) => await node.methods.listSearch[name].call(editing(access, parameters), filter, token);

/** Every page of a search, as a user scrolls. */
export async function searchAll(access: ShopAccess, name: Search, filter?: string) {
	const pages: Array<Awaited<ReturnType<typeof search>>> = [];
	let token: string | undefined;
	do {
		pages.push(await search(access, name, { filter, token }));
		token = pages.at(-1)?.paginationToken as string | undefined;
	} while (token !== undefined);
	return pages.map(({ results }) => results);
}

export const categories = async (access: ShopAccess) =>
	await node.methods.loadOptions.getCategories.call(editing(access));
