import { deleted, resource, type Handler, type World } from '../api/call';
import { isOrAny, mentions } from './search';
import { ENDPOINT_STATUSES, type Endpoint, type EndpointFields } from '../deliveries/endpoints';
import { iso } from '../shop/clock';
import type { ListSpec } from '../api/select';

const endpointList = ({ endpoints }: World): ListSpec<Endpoint> => ({
	name: 'webhooks',
	collection: endpoints.collection,
	sorts: { created_at: 'created', updated_at: 'updated' },
	statuses: ENDPOINT_STATUSES,
	matches: ({ id, url, status, description }, query) =>
		query.sku === undefined &&
		isOrAny(query.status, status) &&
		mentions(query.q, id, url, description),
	present: (endpoint) => endpoint,
});

const listWebhooks: Handler = ({ world, query }) => world.pages.page(endpointList(world), query);

const getWebhook: Handler = ({ world, params }) => resource(world.endpoints.get(params.id));

/** The only answer that shows the secret. */
const createWebhook: Handler = ({ world, body }) =>
	resource(world.endpoints.create(body as EndpointFields, world.settings.dialect), 201);

const deleteWebhook: Handler = ({ world, params }) =>
	deleted(world, () => world.endpoints.remove(params.id));

/** In development. */
const updateWebhook: Handler = ({ world, params, body }) =>
	resource(
		world.endpoints.update(params.id, body as Partial<EndpointFields>, world.settings.dialect),
	);

/** In development. */
const rotateWebhookSecret: Handler = ({ world: { endpoints, settings }, params }) => {
	const endpoint = endpoints.get(params.id);
	return resource({ ...endpoint, secret: endpoints.rotate(params.id, settings.dialect) });
};

/** In development; the event's name and payload are not shown. */
const testWebhook: Handler = ({ world: { endpoints, dispatcher, shop }, params }) => {
	const endpoint = endpoints.get(params.id);
	const event = 'webhook.test';
	const timestamp = iso(shop.clock.now());
	const body = JSON.stringify({ event, timestamp, payload: { endpoint_id: endpoint.id } });
	return resource({ delivery_id: dispatcher.start(endpoint, event, body), event });
};

export const webhookHandlers = {
	listWebhooks,
	getWebhook,
	createWebhook,
	deleteWebhook,
	updateWebhook,
	rotateWebhookSecret,
	testWebhook,
};
