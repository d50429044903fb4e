import type { ICredentialTestRequest, IExecuteFunctions, INodeType } from 'n8n-workflow';

import { CommercePlatformApi } from '../../../credentials/CommercePlatformApi.credentials';
import type { ShopAccess } from './credentialsHelper';
import { n8nCore } from './n8nCore';
import { runNode } from './runNode';

export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

type Rule = NonNullable<ICredentialTestRequest['rules']>[number];

/** The node that n8n makes for the test of a credential: one request by its RoutingNode. */
function testNode({ request }: ICredentialTestRequest): INodeType {
	const node: INodeType = {
		description: {
			displayName: 'Temp',
			name: 'temp',
			group: ['input'],
			version: 1,
			description: '',
			defaults: { name: 'Temp' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'commercePlatformApi', required: true }],
			properties: [
				{ displayName: 'Temp', name: 'temp', type: 'string', default: '', routing: { request } },
			],
		},
	};
	node.execute = async function (this: IExecuteFunctions) {
		return (await new n8nCore.RoutingNode(this as never, node).runNode()) ?? [];
	};
	return node;
}

const messageOf = (rules: readonly Rule[], type: Rule['type'], isMet: (rule: Rule) => boolean) =>
	rules.find((rule) => rule.type === type && isMet(rule))?.properties.message;

const valueAt = (value: unknown, path: string): unknown =>
	path
		.split('.')
		.reduce<unknown>(
			(inner, name) => (inner as Record<string, unknown> | undefined)?.[name],
			value,
		);

/** Tests a credential as n8n 2.41 does (its CredentialsTester), without its database. */
export async function testCredential(credentials: ShopAccess): Promise<CredentialTestResult> {
	const { test } = new CommercePlatformApi();
	const rules = (test.rules ?? []) as Rule[];
	const { error, items } = await runNode({ parameters: {}, credentials, nodeType: testNode(test) });
	if (error) {
		const { response } = (
			error as { cause?: { response?: { status: number; statusText: string } } }
		).cause ?? { response: undefined };
		const byStatus = messageOf(
			rules,
			'responseCode',
			({ properties }) => properties.value === response?.status,
		);
		return { status: 'Error', message: byStatus ?? response?.statusText ?? error.message };
	}
	const wrong = messageOf(
		rules,
		'responseSuccessBody',
		({ properties }) =>
			'key' in properties && valueAt(items[0].json, properties.key) === properties.value,
	);
	return wrong === undefined
		? { status: 'OK', message: 'Connection successful!' }
		: { status: 'Error', message: wrong };
}
