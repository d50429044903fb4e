import { pick } from '../../platform/support/random';
import { forge, replay } from './attacks';
import { MADE_BY_HAND } from './judge';
import type { SimulatedN8n } from './n8n';
import type { ApiFault } from './platform';
import type { SimulatedWorkflow } from './workflow';
import { between, MINUTE, recent, SECOND, type Act } from './world';

/** The user publishes after a change. */
const publishWith =
	(what: string, change: (workflow: SimulatedWorkflow, x: number) => void): Act =>
	({ judge, n8n, workflow }, x) => {
		judge.note(`the user publishes ${what}`);
		void n8n.publish(workflow, () => change(workflow, x));
	};

/** A part of n8n fails for a while. */
const away =
	(part: keyof SimulatedN8n['away'], what: string, longestMs: number): Act =>
	({ judge, n8n, timeline }, x) => {
		const ms = between(10, longestMs, x ** 3);
		judge.note(`${what} for ${ms} ms`);
		n8n.away[part] = timeline.nowMs + ms;
	};

const often = (weight: number, act: Act): readonly [weight: number, act: Act] => [weight, act];

/** Everything that can happen, with its weight. */
export const STEPS = {
	event: often(30, ({ platform, judge }, x, y) => {
		judge.note('something happens in the shop');
		platform.emit(x < 0.7 ? 'order.paid' : 'order.created', y < 0.4);
	}),
	burst: often(5, ({ platform, timeline }, x, y) => {
		for (let i = 0; i < 2 + x * 5; i++)
			timeline.after(i * y * 60, () => platform.emit('order.paid'));
	}),
	duplicate: often(14, (world, x, y) => {
		const delivery = recent(world, x);
		if (delivery) void world.platform.send(delivery, 'duplicate', Math.floor(y * 4));
	}),
	replay: often(8, replay),
	forge: often(4, forge),
	republish: often(
		4,
		publishWith('again', () => {}),
	),
	rename: often(
		2,
		publishWith('with another name of the node', (workflow, x) => {
			workflow.nodeName = pick(['Trigger', 'Paid Orders', 'Orders'], () => x);
		}),
	),
	otherEvents: often(
		1,
		publishWith('with other events', (workflow, x) => {
			const events = x < 0.5 ? ['order.paid'] : ['order.created', 'order.paid'];
			workflow.parameters = { ...workflow.parameters, events };
		}),
	),
	previous: often(
		4,
		publishWith('with Accept Previous Secret switched', (workflow) => {
			const { events, options } = workflow.parameters;
			const acceptPreviousSecret = options.acceptPreviousSecret === false;
			workflow.parameters = { events, options: { ...options, acceptPreviousSecret } };
		}),
	),
	unpublish: often(2, ({ judge, n8n, workflow }) => {
		judge.note('the user unpublishes');
		void n8n.unpublish(workflow);
	}),
	restore: often(2, ({ judge, n8n, workflow }, x) => {
		judge.note('an export is imported over the workflow, and published');
		n8n.restore(workflow, x);
		void n8n.publish(workflow, () => {});
	}),
	copy: often(1, ({ n8n, judge, workflow }) => {
		if (n8n.workflows.length > 1) return;
		judge.note('the workflow is duplicated, and the copy published');
		void n8n.duplicate(workflow);
	}),
	end: often(7, ({ n8n, judge }, x, y) => {
		const index = Math.floor(x * n8n.processes.length);
		const how = y < 0.6 ? 'kill' : 'restart';
		judge.note(`${n8n.processes[index].name}: ${how}`);
		n8n[how](index, between(SECOND, 20 * SECOND, (y * 5) % 1));
	}),
	stall: often(3, ({ n8n, judge, timeline }, x, y) => {
		const process = n8n.processes[Math.floor(x * n8n.processes.length)];
		const ms = between(20, 15 * SECOND, y ** 3);
		judge.note(`${process.name} stalls for ${ms} ms`);
		process.time.stalledUntilMs = timeline.nowMs + ms;
	}),
	database: often(3, away('database', 'the database is away', 40 * SECOND)),
	redis: often(2, away('redis', 'Redis is away', 40 * SECOND)),
	slow: often(5, (world, x, y) => {
		away('slow', 'the database is slow', 40 * SECOND)(world, x, y);
		if (y < 0.4) away('credentials', 'credentials cannot be checked', 40 * SECOND)(world, x, y);
	}),
	credentials: often(3, away('credentials', 'credentials cannot be checked', 20 * SECOND)),
	hasty: often(3, ({ platform, judge, timeline, n8n }, x, y) => {
		if (n8n.ways.proxyHolds) return;
		const ms = between(5, 3 * SECOND, x ** 2);
		judge.note(`senders hang up after ${ms} ms`);
		platform.patience = { ms, untilMs: timeline.nowMs + between(20, MINUTE, y) };
	}),
	api: often(5, ({ platform, judge, timeline }, x, y) => {
		const kinds: ApiFault[] = [
			'down',
			'503',
			'lost answers',
			'lists fail',
			'deletions fail',
			'slow',
		];
		const kind = pick(kinds, () => x);
		const ms = between(SECOND, 5 * MINUTE, y ** 2);
		judge.note(`the platform's API: ${kind}, for ${ms} ms`);
		platform.fault = { kind, untilMs: timeline.nowMs + ms };
	}),
	office: often(2, ({ platform, judge, workflow }, x, y) => {
		const own = [...platform.endpoints.values()].filter(
			({ endpoint: { url } }) => url === workflow.address,
		);
		if (own.length === 0) return;
		const { endpoint } = pick(own, () => y);
		judge.note(
			`somebody ${x < 0.4 ? 'deletes' : x < 0.7 ? 'disables' : 'doubles'} ${endpoint.id} in the back office`,
		);
		if (x < 0.4) platform.endpoints.delete(endpoint.id);
		else if (x < 0.7) endpoint.status = 'disabled';
		else platform.register({ ...endpoint, description: MADE_BY_HAND });
	}),
	clock: often(2, ({ n8n, judge }, x) => {
		const ms =
			n8n.offset.ms === 0 ? between(-20 * MINUTE, 20 * MINUTE, (2 * x - 1) ** 3 / 2 + 0.5) : 0;
		judge.note(`n8n's clock is set to ${ms} ms from the platform's`);
		n8n.offset.ms = ms;
	}),
};
