import type { INode, INodeProperties } from 'n8n-workflow';

/**
 * The version of nodes that are added now. n8n saves no parameter that equals its default, so a workflow would
 * change its meaning with a default: nodes of version 1 keep those that they were saved with.
 */
export const LATEST_VERSION = 1.1;

const FIRST_VERSION = 1;

/** Conditions for a field's `show`. */
export const IN_FIRST_VERSION = { '@version': [FIRST_VERSION] };
export const SINCE_1_1 = { '@version': [{ _cnd: { gte: LATEST_VERSION } }] };

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
export function withNewDefault<F extends INodeProperties>(
	field: F,
	now: INodeProperties['default'],
): F[] {
	return [onlyIn(field, IN_FIRST_VERSION), onlyIn({ ...field, default: now }, SINCE_1_1)];
}

/**
 * A field whose default is another one where a model uses the node as a tool, in nodes added since version 1.1.
 *
 * @param field with its default elsewhere
 * @param forModels the default for models
 */
export function withToolDefault(
	field: INodeProperties,
	forModels: INodeProperties['default'],
): INodeProperties[] {
	return [
		onlyFor([false], field),
		onlyFor([true], onlyIn(field, IN_FIRST_VERSION)),
		onlyFor([true], onlyIn({ ...field, default: forModels }, SINCE_1_1)),
	];
}

type Show = NonNullable<NonNullable<INodeProperties['displayOptions']>['show']>;

const onlyIn = <F extends INodeProperties>(field: F, versions: Show): F =>
	shownFor(field, versions);

/** In the editor (false), or as a tool (true). */
const onlyFor = (tools: boolean[], field: INodeProperties): INodeProperties =>
	shownFor(field, { '@tool': tools });

function shownFor<F extends INodeProperties>(field: F, more: Show): F {
	const { displayOptions } = field;
	const show = { ...displayOptions?.show, ...more };
	return { ...field, displayOptions: { ...displayOptions, show } };
}
