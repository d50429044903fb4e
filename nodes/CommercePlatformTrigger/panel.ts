import type { TriggerPanelDefinition } from 'n8n-workflow';

const ADDRESSES =
	'This node has two addresses and registers each with the platform by itself; there is nothing to copy. <br /><br /> <b>The test address</b> exists while you listen for a test event: the endpoint is made when you click the button, and removed after the first delivery or after two minutes.';

/** The texts beside the node's button in the editor. */
export const triggerPanel: TriggerPanelDefinition = {
	header: 'Receive an event from the platform',
	executionsHelp: {
		inactive: `${ADDRESSES} Deliveries to it show up here in the editor. <br /><br /> <b>The production address</b> exists while the workflow is published. Publishing registers the endpoint, unpublishing removes it: events of the time between are not delivered later.`,
		active: `${ADDRESSES} It works beside the production endpoint, which stays as it is. <br /><br /> <b>The production address</b> is registered, since the workflow is published. Its executions show up in the <a data-key="executions">executions list</a>, not here in the editor. Unpublishing removes the endpoint: events of the time between are not delivered later.`,
	},
	activationHint: {
		inactive:
			'Once you have finished building, publish the workflow: it then runs for every selected event.',
		active: 'Published: the workflow runs by itself for every selected event.',
	},
};
