import type { Judge } from './judge';
import type { N8nWays, SimulatedN8n } from './n8n';
import type { Delivery, Sending, SimulatedPlatform } from './platform';
import type { Timeline } from './timeline';
import type { SimulatedWorkflow } from './workflow';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** n8n as the steps see it, simulated or real. */
export interface N8n extends Omit<
	SimulatedN8n,
	'firstReceiver' | 'isBusy' | 'judge' | 'platform' | 'processes' | 'ways' | 'workflows'
> {
	readonly ways: Pick<N8nWays, 'proxyHolds'>;
	readonly workflows: SimulatedWorkflow[];
	readonly processes: ReadonlyArray<{ name: string; time: { stalledUntilMs: number } }>;
}

/** The parts of a simulation. */
export interface World<T extends N8n = N8n> {
	timeline: Timeline;
	platform: SimulatedPlatform;
	n8n: T;
	judge: Judge;
	workflow: SimulatedWorkflow;
	transmit: (sending: Sending) => Promise<number | undefined>;
}

export type Act = (world: World, x: number, y: number) => void;

export const between = (from: number, to: number, x: number): number =>
	Math.round(from + (to - from) * x);

export const recent = ({ platform: { deliveries } }: World, x: number): Delivery | undefined =>
	deliveries[deliveries.length - 1 - Math.floor(x * x * deliveries.length)];
