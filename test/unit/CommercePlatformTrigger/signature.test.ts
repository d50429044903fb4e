import crypto from 'node:crypto';

import fc from 'fast-check';

import { verifyDelivery } from '../../../nodes/CommercePlatformTrigger/verifyDelivery';
import { sign } from '../../../platform/support/delivery';

const bytes = fc.uint8Array({ maxLength: 300 });
const secret = fc.string({ minLength: 1 });

/**
 * The reason for refusing a delivery without a timestamp; if the signature is right, the missing timestamp is the
 * reason.
 */
const reasonFor = (body: Uint8Array, signatures: string[], secrets: string[]) => {
	const headers = Object.fromEntries(signatures.map((one, n) => [`x${n}-signature`, one]));
	const evidence = { body, headers, account: '', secrets, events: [], nowMs: 0 };
	return verifyDelivery(evidence);
};
const isSignedBy = (body: Uint8Array, signature: string, secrets: string[]) =>
	reasonFor(body, [signature], secrets) === 'no timestamp';

/** The same bytes with one bit flipped. */
function flipped(source: Uint8Array, bit: number): Uint8Array {
	const copy = Uint8Array.from(source);
	copy[bit >> 3] ^= 1 << (bit & 7);
	return copy;
}

describe('the signature check', () => {
	it('accepts any of several secrets', () => {
		fc.assert(
			fc.property(bytes, fc.uniqueArray(secret, { minLength: 1, maxLength: 4 }), (body, keys) => {
				for (const key of keys) expect(isSignedBy(body, sign(body, key), keys)).toBe(true);
			}),
		);
	});

	it('refuses a body in which any one bit is flipped', () => {
		const flip = fc
			.uint8Array({ minLength: 1, maxLength: 300 })
			.chain((body) => fc.tuple(fc.constant(body), fc.nat(body.length * 8 - 1)));
		fc.assert(
			fc.property(flip, secret, ([body, bit], key) => {
				expect(isSignedBy(flipped(body, bit), sign(body, key), [key])).toBe(false);
			}),
		);
	});

	it('refuses a signature text in which any one bit is flipped', () => {
		fc.assert(
			fc.property(bytes, secret, fc.nat(511), (body, key, bit) => {
				const text = Buffer.from(flipped(Buffer.from(sign(body, key), 'latin1'), bit));
				expect(isSignedBy(body, text.toString('latin1'), [key])).toBe(false);
			}),
		);
	});
});

describe('the signature check of many signatures', () => {
	it('hashes the body once for each secret, however many signatures it is given', () => {
		const createHmac = jest.spyOn(crypto, 'createHmac');
		const body = Buffer.alloc(1000);
		const forged = Array.from({ length: 1000 }, (_, i) => i.toString(16).padStart(64, '0'));
		expect(reasonFor(body, forged, ['one', 'two'])).toBe('signature does not match');
		expect(createHmac).toHaveBeenCalledTimes(2);
		createHmac.mockRestore();
		expect(reasonFor(body, [...forged, sign(body, 'two')], ['one', 'two'])).toBe('no timestamp');
	});

	it('does not hash for a later secret if an earlier one matches', () => {
		const body = Buffer.alloc(1000);
		const signature = sign(body, 'one');
		const createHmac = jest.spyOn(crypto, 'createHmac');
		expect(isSignedBy(body, signature, ['one', 'two'])).toBe(true);
		expect(createHmac).toHaveBeenCalledTimes(1);
		createHmac.mockRestore();
	});
});

describe('a text that is no signature is refused before the body is hashed', () => {
	const hex = 'ab'.repeat(32);

	it.each([
		['lower case', hex, true],
		['upper case', hex.toUpperCase(), true],
		['mixed case', `AB${hex.slice(2)}`, false],
		['one digit short', hex.slice(1), false],
		['one digit long', `${hex}0`, false],
		['a prefix', `sha256=${hex}`, false],
		['a line end', `${hex}\n`, false],
		['a letter that is not a digit', `g${hex.slice(1)}`, false],
		['base64', Buffer.alloc(32, 7).toString('base64'), false],
		['nothing', '', false],
	])('%s', (_what, text, shaped) => {
		const reason = shaped ? 'signature does not match' : 'signature is not 64 hex digits';
		expect(reasonFor(Buffer.from('{}'), [text], ['secret'])).toBe(reason);
	});
});
