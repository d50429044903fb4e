import { systemClock } from '../../../nodes/shared/api/clock';

const TIMES = 20;

/**
 * The nodes' clock runs twenty times as fast: their waits and timeouts take a twentieth of their time, so that a test
 * can see a wait of seconds go by. The platform's clock and the dates of answers stay as they are.
 */
export function withFastClock(): void {
	const { monotonic, sleep } = systemClock;
	beforeEach(() => {
		const startMs = monotonic();
		systemClock.monotonic = () => startMs + (monotonic() - startMs) * TIMES;
		systemClock.sleep = async (ms) => await sleep(ms / TIMES);
	});
	afterEach(() => Object.assign(systemClock, { monotonic, sleep }));
}
