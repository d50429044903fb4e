import crypto from 'node:crypto';

import fc from 'fast-check';

import { Seal } from '../../../../nodes/CommercePlatformTrigger/memory/endpointRecord';
import { PLACE as place } from './endpoint';

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

	it('cannot be read once it was changed, nor can any other text', () => {
		const sealed = Buffer.from(new Seal(place).seal('secret'), 'base64');
		for (let bit = 0; bit < sealed.length * 8; bit++) {
			const changed = Buffer.from(sealed);
			changed[bit >> 3] ^= 1 << (bit & 7);
			expect(new Seal(place).unseal(changed.toString('base64'))).toBeUndefined();
		}
		const anyText = fc.property(fc.string(), (text) => new Seal(place).unseal(text) === undefined);
		fc.assert(anyText);
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
