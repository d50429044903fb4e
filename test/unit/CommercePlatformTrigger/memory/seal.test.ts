import crypto from 'node:crypto';

import fc from 'fast-check';

import { Seal } from '../../../../nodes/CommercePlatformTrigger/memory/endpointRecord';

const place = {
	instanceId: 'instance',
	workflowId: 'w1',
	address: 'https://n8n.example/webhook/1',
};

describe('a sealed text', () => {
	it('can be read at its place, and is never the same twice', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (text) => {
				const seal = new Seal(place);
				const sealed = seal.seal(text);
				expect(seal.unseal(sealed)).toBe(text);
				expect(new Seal(place).unseal(sealed)).toBe(text);
				expect(seal.seal(text)).not.toBe(sealed);
			}),
		);
	});

	it.each([
		['instance', { instanceId: 'another' }],
		['workflow', { workflowId: 'w2' }],
		['address', { address: 'https://n8n.example/webhook-test/1' }],
	])('cannot be read at another %s', (_what, change) => {
		const sealed = new Seal(place).seal('secret');
		expect(new Seal({ ...place, ...change }).unseal(sealed)).toBeUndefined();
	});

	it('cannot be read once it was changed', () => {
		const sealed = Buffer.from(new Seal(place).seal('secret'), 'base64');
		for (let bit = 0; bit < sealed.length * 8; bit++) {
			const changed = Buffer.from(sealed);
			changed[bit >> 3] ^= 1 << (bit & 7);
			expect(new Seal(place).unseal(changed.toString('base64'))).toBeUndefined();
		}
	});

	it('of any other origin is refused without an exception', () => {
		fc.assert(
			fc.property(fc.string(), (text) => {
				expect(new Seal(place).unseal(text)).toBeUndefined();
			}),
		);
	});
});

describe('a seal that has opened a text', () => {
	it('does not open it again, nor one of another place', () => {
		const createDecipheriv = jest.spyOn(crypto, 'createDecipheriv');
		const seal = new Seal(place);
		const sealed = seal.seal('secret');
		expect([1, 2, 3].map(() => seal.unseal(sealed))).toEqual(['secret', 'secret', 'secret']);
		expect(createDecipheriv).toHaveBeenCalledTimes(1);
		expect(new Seal({ ...place, workflowId: 'w2' }).unseal(sealed)).toBeUndefined();
		createDecipheriv.mockRestore();
	});
});
