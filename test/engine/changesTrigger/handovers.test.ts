import type { PollingSetup } from './pollingN8n';
import { idsOf, poll, usePollingShop } from './pollingShop';

const shop = usePollingShop();
const timeOf = (secondsAgo: number) => new Date(Date.now() - 1000 * secondsAgo).toISOString();

/** Changes to a trigger, which is then a new one on the same database. */
const CHANGES: Record<string, () => Partial<PollingSetup> | Promise<Partial<PollingSetup>>> = {
	onlyCreated: () => ({ parameters: { filters: { status: 'created' } } }),
	unfiltered: () => ({ parameters: { filters: { q: '' } } }),
	renamed: () => ({ nodeName: 'Renamed' }),
	durableCursors: () => ({ durable: true }),
	noDurableCursors: () => ({ durable: false }),
	renamedFromAMinuteAgo: () => ({
		...{ nodeName: 'Other', parameters: { options: { startFrom: timeOf(60) } } },
	}),
	rotated: async () => {
		const { apiKey } = await shop.control.createKey();
		return { credentials: { baseUrl: shop.platform.baseUrl, apiKey } };
	},
};

/** Setups that differ from the usual one. */
const SETUPS: Record<string, Parameters<typeof shop.published>> = {
	usual: [],
	goOn: [{ options: { afterRestart: 'goOn' } }],
	durable: [{}, { durable: true }],
};

/** Steps after publishing, and the numbers of the orders that become executions, in the order of the steps. */
const STORIES: Record<string, string> = {
	'is given once over a restart where Go On is chosen':
		'goOn: order, poll, restart, order, poll → 1 2',
	'is given again after a restart of what the process before handed over last, and nothing else':
		'usual: order, poll, order, poll, restart → 1 2 2',
	'is given again where n8n died before the execution, with the state saved':
		'usual: order, notStarted, poll, allWell, restart → 1',
	'is given again where its execution turns out not to have started, after another poll':
		'usual: running, order, poll, poll, failsToStart, allWell, poll → 1 1',
	'is not given again under other filters while it is being executed':
		'usual: running, order, poll, poll, onlyCreated, publish, order, poll → 1 2',
	'is given again under other filters where no execution came of it':
		'usual: notStarted, order, poll, unfiltered, publish → 1',
	'is still known after the key was rotated': 'usual: order, poll, rotated, publish, poll → 1',
	'of one that is renamed goes on where it was, also after a later restart':
		'usual: order, poll, renamed, order, publish, restart, order, poll → 1 2 2 3',
	'of one that is renamed begins anew where n8n was restarted before':
		'usual: lateOrder, renamed, restart → ',
	'of one that is renamed begins at Start From':
		'usual: lateOrder, renamedFromAMinuteAgo, restart → 1',
	'is done as soon as it is stored: no restart gives it again':
		'durable: running, order, poll, restart, order, poll, restart → 1 2',
	'is given again where n8n could not store it':
		'durable: notStarted, order, poll, allWell, poll, poll → 1',
	'is lost where they were switched off again, and n8n ended between cursor and execution':
		'durable: cursorAlone, order, poll, allWell, restart, order, poll, poll, poll → 2',
	'is given again where they were switched on after n8n had died before the execution':
		'usual: order, notStarted, poll, allWell, durableCursors, restart → 1',
	'is not given again where they were switched off':
		'durable: order, poll, order, poll, noDurableCursors, restart, poll → 1 2',
	'is not given where n8n ended before the first poll after publishing':
		'durable: lateOrder, restart, order, poll → 2',
};

it.each(Object.entries(STORIES))('the changes trigger’s handover %s: %s', async (name, story) => {
	const [setup, steps, expected] = story.split(/: | → /);
	const hosts = [await shop.published(...SETUPS[setup])];
	const orders: unknown[] = [];
	const doing: Record<string, () => unknown> = {
		order: async () => orders.push(await shop.newOrder()),
		lateOrder: async () => {
			const { id } = await shop.control.writeRecord('orders', { updatedAt: timeOf(30) });
			orders.push(id);
		},
		poll: async () => await hosts[0].poll(),
		publish: async () => await hosts[0].publish(),
		restart: async () => await hosts[0].restart(),
		failsToStart: () => hosts[0].failToStart(),
		allWell: () => (hosts[0].mishaps = {}),
	};
	for (const step of steps.split(', ')) {
		if (step in doing) await doing[step]();
		else if (step in CHANGES) hosts.unshift(hosts[0].changed(await CHANGES[step]()));
		else hosts[0].mishaps = { [step]: true };
	}
	const executed = hosts.toReversed().flatMap(idsOf);
	expect(executed.map((id) => orders.indexOf(id) + 1).join(' ')).toBe(expected);
	if (name.includes('rotated')) expect(hosts[0].warnings).toEqual([]);
});

it('what was handed over is given again after a change of the stock filters, if it became no execution', async () => {
	const n8n = await shop.published({ watch: 'inventory' });
	await n8n.poll();
	const level = await shop.setStock(4711);
	n8n.mishaps = { notStarted: true };
	await n8n.poll();
	const filters = { location_id: level.location_id };
	const other = n8n.changed({ parameters: { watch: 'inventory', filters } });
	await other.publish();
	expect((await poll(other, 2)).items).toMatchObject([level]);
});

it('what changes between publishing, of which n8n stores nothing with durable cursors, and the first poll is given', async () => {
	const n8n = await shop.published(...SETUPS.durable);
	expect(n8n.database.staticData).toBe('{}');
	const id = await shop.newOrder();
	// The platform's time has whole seconds.
	await new Promise((resolve) => setTimeout(resolve, 1_100));
	expect(idsOf(await poll(n8n, 3))).toEqual([id]);
});

it('so it is if what n8n has stored belongs to another credential', async () => {
	const n8n = await shop.published(...SETUPS.durable);
	await n8n.poll();
	const other = n8n.changed({ credentialId: 'credential-2' });
	await other.publish();
	const id = await shop.newOrder();
	await new Promise((resolve) => setTimeout(resolve, 1_100));
	expect(idsOf(await poll(other, 3))).toEqual([id]);
	expect(other.warnings).toHaveLength(1);
});

it('what was handed over is given once if two mains take turns, with durable cursors', async () => {
	const one = await shop.published(...SETUPS.durable);
	const other = one.other();
	const id = await shop.newOrder();
	for (let polls = 0; polls < 10; polls++) {
		await one.poll();
		await other.poll();
	}
	expect([...idsOf(one), ...idsOf(other)]).toEqual([id]);
});
