import type { INode, INodeProperties } from 'n8n-workflow';

/**
 * The version of nodes that are added now. n8n saves no parameter that equals its default, so a workflow would
 * change its meaning with a default: nodes of version 1 keep those that they were saved with.
 */
export const LATEST_VERSION = 1.1;

const FIRST_VERSION = 1;

/** Whether a node was added before version 1.1, so that it keeps the defaults of that time. */
export function isOfFirstVersion({ typeVersion }: Pick<INode, 'typeVersion'>): boolean {
	return typeVersion < LATEST_VERSION;
}

/**
 * A field whose default is another one since version 1.1: once for nodes of version 1, once for later ones.
 *
 * @param field with its default of version 1
 * @param now the default since version 1.1
 */
export function withNewDefault(
	field: INodeProperties,
	now: INodeProperties['default'],
): INodeProperties[] {
	return [
		onlyIn({ ...field }, [FIRST_VERSION]),
		onlyIn({ ...field, default: now }, [{ _cnd: { gte: LATEST_VERSION } }]),
	];
}

type Versions = NonNullable<NonNullable<INodeProperties['displayOptions']>['show']>['@version'];

function onlyIn(field: INodeProperties, versions: Versions): INodeProperties {
	const { displayOptions } = field;
	const show = { ...displayOptions?.show, '@version': versions };
	return { ...field, displayOptions: { ...displayOptions, show } };
}
