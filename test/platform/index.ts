import type { Platform, PlatformOptions } from './options';

export type { Platform, PlatformOptions, ShopSize } from './options';
export type * from './control/types';
export type { Fault, FaultRule } from './faults/types';
export { createControlClient } from './control/client';

/** Starts a platform on loopback. */
export async function startPlatform(_options: PlatformOptions = {}): Promise<Platform> {
	throw new Error('The platform is not built yet');
}
