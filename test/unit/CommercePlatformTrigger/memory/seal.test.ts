import fc from 'fast-check';

import { remembering, sealFor } from '../../../../nodes/CommercePlatformTrigger/memory/seal';

const place = {
	instanceId: 'instance',
	workflowId: 'w1',
	address: 'https://n8n.example/webhook/1',
};

describe('a sealed text', () => {
	it('can be read at its place, and is never the same twice', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (text) => {
				const seal = sealFor(place);
				const sealed = seal.seal(text);
				expect(seal.unseal(sealed)).toBe(text);
				expect(sealFor(place).unseal(sealed)).toBe(text);
				expect(seal.seal(text)).not.toBe(sealed);
			}),
		);
	});

	it.each([
		['instance', { instanceId: 'another' }],
		['workflow', { workflowId: 'w2' }],
		['address', { address: 'https://n8n.example/webhook-test/1' }],
	])('cannot be read at another %s', (_what, change) => {
		const sealed = sealFor(place).seal('secret');
		expect(sealFor({ ...place, ...change }).unseal(sealed)).toBeUndefined();
	});

	it('cannot be read once it was changed', () => {
		const sealed = Buffer.from(sealFor(place).seal('secret'), 'base64');
		for (let bit = 0; bit < sealed.length * 8; bit++) {
			const changed = Buffer.from(sealed);
			changed[bit >> 3] ^= 1 << (bit & 7);
			expect(sealFor(place).unseal(changed.toString('base64'))).toBeUndefined();
		}
	});

	it('of any other origin is refused without an exception', () => {
		fc.assert(
			fc.property(fc.string(), (text) => {
				expect(sealFor(place).unseal(text)).toBeUndefined();
			}),
		);
	});
});

describe('a seal that remembers', () => {
	it('opens a text once, however often it is asked, and never one of another place', () => {
		let asked = 0;
		const plain = sealFor(place);
		const seal = remembering({ ...plain, unseal: (text) => (asked++, plain.unseal(text)) });
		const sealed = seal.seal('secret');
		expect([1, 2, 3].map(() => seal.unseal(sealed))).toEqual(['secret', 'secret', 'secret']);
		expect(asked).toBe(1);
		expect(seal.unseal('nonsense')).toBeUndefined();
	});
});
