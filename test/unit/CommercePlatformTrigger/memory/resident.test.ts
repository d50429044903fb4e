import {
	forgetResident,
	peekResident,
	Resident,
	residentAt,
} from '../../../../nodes/CommercePlatformTrigger/memory/resident';
import { UNDERWAY_MS } from '../../../../nodes/CommercePlatformTrigger/memory/underway';
import { FakeAnswer } from './fakeAnswer';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);
const ONE = { body: 'bodyAAAA', id: 'id_AAAAA' };

/** Admits a delivery and sees it to an answer of this status. */
async function answered(resident: Resident, fingerprints: typeof ONE, status: number) {
	const admission = resident.admit(fingerprints, Date.now());
	if (admission.kind !== 'new') throw new Error(`is ${admission.kind}`);
	const answer = new FakeAnswer();
	const watched = resident.awaitAnswer({ data: {}, mark: admission.mark, answer });
	answer.send(status);
	await watched;
}

describe('a delivery', () => {
	it('is a repeat once it was answered with 2xx', async () => {
		const resident = new Resident();
		await answered(resident, ONE, 200);
		expect(resident.admit(ONE, Date.now()).kind).toBe('repeat');
	});

	it('is a repeat by its id alone and by its body alone', async () => {
		const resident = new Resident();
		await answered(resident, ONE, 200);
		expect(resident.admit({ ...ONE, body: 'otherBBB' }, Date.now()).kind).toBe('repeat');
		expect(resident.admit({ ...ONE, id: 'otherIII' }, Date.now()).kind).toBe('repeat');
		expect(resident.admit({ body: ONE.body }, Date.now()).kind).toBe('repeat');
		expect(resident.admit({ body: 'otherBBB', id: 'otherIII' }, Date.now()).kind).toBe('new');
	});

	it.each([500, 503, 404])('answered with %i is new when it comes again', async (status) => {
		const resident = new Resident();
		await answered(resident, ONE, status);
		expect(resident.admit(ONE, Date.now()).kind).toBe('new');
	});

	it('is busy while its twin is being answered', () => {
		const resident = new Resident();
		expect(resident.admit(ONE, NOW_MS).kind).toBe('new');
		expect(resident.admit(ONE, NOW_MS + 1).kind).toBe('busy');
		expect(resident.admit({ ...ONE, id: 'otherIII' }, NOW_MS + 1).kind).toBe('busy');
	});

	it('does not stay busy for longer than 30 seconds', () => {
		const resident = new Resident();
		resident.admit(ONE, NOW_MS);
		expect(resident.admit(ONE, NOW_MS + UNDERWAY_MS - 1).kind).toBe('busy');
		expect(resident.admit(ONE, NOW_MS + UNDERWAY_MS).kind).toBe('new');
		expect(UNDERWAY_MS).toBeLessThanOrEqual(30_000);
	});

	it('does not count when its answer comes after the mark has died', async () => {
		const resident = new Resident();
		const admission = resident.admit(ONE, Date.now() - 2 * UNDERWAY_MS);
		if (admission.kind !== 'new') throw new Error('not new');
		const answer = new FakeAnswer();
		await resident.awaitAnswer({ data: {}, mark: admission.mark, answer });
		answer.send(200);
		expect(resident.admit(ONE, Date.now()).kind).toBe('new');
	});

	it('tells whoever waits for it how it ended', async () => {
		const resident = new Resident();
		const first = resident.admit(ONE, Date.now());
		const twin = resident.admit(ONE, Date.now());
		if (first.kind !== 'new' || twin.kind !== 'busy') throw new Error('wrong kinds');
		const answer = new FakeAnswer();
		const watched = resident.awaitAnswer({ data: {}, mark: first.mark, answer });
		answer.send(500);
		await watched;
		expect(await twin.twin.outcome).toBe(false);
	});
});

describe('the memory of addresses', () => {
	it('is one for each address, test and production apart', () => {
		const production = residentAt('https://n8n.example/webhook/a', NOW_MS);
		expect(residentAt('https://n8n.example/webhook/a', NOW_MS)).toBe(production);
		expect(residentAt('https://n8n.example/webhook-test/a', NOW_MS)).not.toBe(production);
	});

	it('forgets on request', () => {
		residentAt('https://n8n.example/webhook/b', NOW_MS);
		forgetResident('https://n8n.example/webhook/b');
		expect(peekResident('https://n8n.example/webhook/b')).toBeUndefined();
	});

	it('holds 500 addresses at most, and lets go of the one that rested longest', () => {
		for (let i = 0; i < 501; i++) residentAt(`https://n8n.example/many/${i}`, NOW_MS + i);
		expect(peekResident('https://n8n.example/many/0')).toBeUndefined();
		expect(peekResident('https://n8n.example/many/500')).toBeDefined();
	});
});
