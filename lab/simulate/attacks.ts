import { family, sign, timestampOf } from '../../platform/support/delivery';
import { pick } from '../../platform/support/random';
import type { Sending } from './platform';
import { EPOCH_MS } from './timeline';
import { between, MINUTE, recent, SECOND, type World } from './world';

/** An attacker who captured a delivery sends it again. */
export function replay(world: World, x: number, y: number): void {
	const delivery = recent(world, x);
	if (delivery === undefined) return;
	const headers = world.platform.headersOf(delivery);
	const variant = Math.floor(y * 7);
	let { id } = delivery;
	let { url } = delivery.to.endpoint;
	const change = (ending: string, value?: string) => {
		for (const name of Object.keys(headers)) {
			if (!name.endsWith(ending)) continue;
			delete headers[name];
			if (value !== undefined) headers[name] = value;
		}
	};
	if (variant === 1 && id !== undefined) change('-delivery-id', (id = `del_fresh_${x}`));
	if (variant === 2) change('-delivery-id', (id = undefined));
	if (variant >= 5) {
		const ageMs = between(310 * SECOND, 20 * MINUTE, (y * 7) % 1) * (x < 0.5 ? 1 : -1);
		const nowMs = EPOCH_MS + world.timeline.nowMs + world.n8n.offset.ms;
		change('-timestamp', timestampOf(nowMs - ageMs));
	}
	const shown =
		variant === 3
			? { ...family('x-aaa', 'ab'.repeat(32), nowOf(world), 'del_other'), ...headers }
			: headers;
	if (variant === 4) url = pick(world.n8n.workflows, () => 0.99).address;
	void transmit(world, { delivery, by: 'attacker', id, url, headers: shown, isGenuine: true });
}

/** An attacker without the secret makes a delivery up. */
export function forge(world: World, x: number, y: number): void {
	const { workflow, platform } = world;
	const { address: url } = workflow;
	const timestamp = '2026-11-21T12:00:00.5Z';
	const body = JSON.stringify({ event: 'order.paid', timestamp, payload: { forged: x } });
	const endpoint = { id: 'wh_forged', url, events: [], description: '', status: '' };
	const id = `del_forged_${x}`;
	const to = { secret: '', endpoint };
	const delivery = { no: 0, id, event: 'order.paid', body, to, failures: 0 };
	const captured = recent(world, 0);
	const signatures = [
		sign(body, ''),
		sign(body, 'guessed'),
		'00'.repeat(32),
		captured ? sign(captured.body, captured.to.secret) : '',
		sign(body, platform.known[0]?.endpoint.id ?? ''),
		'',
	];
	const signature = pick(signatures, () => y);
	const legacyHeaders = x < 0.3 ? family('x-ecom', 'cd'.repeat(32), nowOf(world), id) : {};
	const headers = { ...family('x-shop', signature, nowOf(world), id), ...legacyHeaders };
	void transmit(world, { delivery, by: 'forger', id, url, headers, isGenuine: false });
}

const nowOf = ({ timeline }: World) => timestampOf(EPOCH_MS + timeline.nowMs);

const transmit = async (world: World, sending: Omit<Sending, 'patienceMs'>) =>
	await world.transmit({ ...sending, patienceMs: 10 * SECOND });
