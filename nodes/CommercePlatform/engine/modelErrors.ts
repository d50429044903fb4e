import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import { toNodeError } from '../../shared/errors/nodeErrors';
import type { PreSend } from './operation';

/**
 * n8n's own engine, which runs AI tools, calls the `preSend` functions of the fields itself, and an agent passes only
 * an error's message on. So what they throw gets its remedy into the message here, as all other errors do in
 * {@link toNodeError}.
 *
 * @returns the same fields, for n8n to read
 */
export const withModelErrors = (fields: INodeProperties[]): INodeProperties[] =>
	fields.map((field) => ({
		...field,
		...(field.routing && { routing: routingOf(field.routing) }),
		...(field.options && { options: field.options.map(withModelErrorsInside) }),
	}));

type Choice = NonNullable<INodeProperties['options']>[number];

/** Fields inside a collection, or inside a group of one with rows. */
function withModelErrorsInside(choice: Choice): Choice {
	if ('values' in choice) return { ...choice, values: withModelErrors(choice.values) };
	return 'type' in choice ? withModelErrors([choice])[0] : choice;
}

function routingOf(routing: INodePropertyRouting): INodePropertyRouting {
	const preSend = routing.send?.preSend as PreSend[] | undefined;
	if (preSend === undefined) return routing;
	return { ...routing, send: { ...routing.send, preSend: preSend.map(tellingModel) } };
}

const tellingModel = (preSend: PreSend): PreSend =>
	async function (options) {
		try {
			return await preSend.call(this, options);
		} catch (error) {
			throw toNodeError(this.getNode(), error, undefined, this.getItemIndex());
		}
	};
