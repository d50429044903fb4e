import type { INodeProperties } from 'n8n-workflow';

/**
 * Says in the panel that the platform may refuse the chosen operation. The list of operations says so too, but it is
 * closed by then.
 *
 * @param meanwhile what to use until it is released, as a sentence
 */
export const developmentNotice = (meanwhile: string): INodeProperties => ({
	displayName: `In development: the platform may refuse it until it is released. ${meanwhile}`,
	name: 'developmentNotice',
	type: 'notice',
	default: '',
});
