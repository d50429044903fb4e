import type { Judge } from './judge';
import type { SimulatedN8n } from './n8n';
import type { Delivery, Sending, SimulatedPlatform } from './platform';
import type { Timeline } from './timeline';
import type { SimulatedWorkflow } from './workflow';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** What stands in a simulation. */
export interface World {
	timeline: Timeline;
	platform: SimulatedPlatform;
	n8n: SimulatedN8n;
	judge: Judge;
	workflow: SimulatedWorkflow;
	transmit: (sending: Sending) => Promise<number | undefined>;
}

export type Act = (world: World, x: number, y: number) => void;

export const between = (from: number, to: number, x: number): number =>
	Math.round(from + (to - from) * x);

export const recent = ({ platform: { deliveries } }: World, x: number): Delivery | undefined =>
	deliveries[deliveries.length - 1 - Math.floor(x * x * deliveries.length)];
