import { createHash } from 'node:crypto';

import {
	fingerprintsOf,
	FINGERPRINTS,
	listOf,
} from '../../../../nodes/CommercePlatformTrigger/memory/fingerprint';

const digest = createHash('sha256').update('body without id').digest();
const sha = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 8);

describe('fingerprints', () => {
	it('stand for the body, for the id, or for both', () => {
		const [body, id] = ['KHhao8ga', sha('id:del_1')];
		expect(fingerprintsOf(digest)).toStrictEqual({ body });
		expect(fingerprintsOf(undefined, 'del_1')).toStrictEqual({ id });
		expect(fingerprintsOf(digest, 'del_1')).toStrictEqual({ body, id });
		expect(fingerprintsOf()).toStrictEqual({});
	});

	it('are listed as far as there are any, the body’s first', () => {
		expect(listOf({ id: 'b', body: 'a' })).toEqual(['a', 'b']);
		expect(listOf({ body: 'a' })).toEqual(['a']);
		expect(listOf({ id: 'b' })).toEqual(['b']);
		expect(listOf({})).toEqual([]);
	});

	it.each(['', 'KHhao8ga', 'KHhao8gaDiYMu_-0'])('are recognised in a row: %p', (text) => {
		expect(FINGERPRINTS.test(text)).toBe(true);
	});

	it.each(['KHhao8g', 'KHhao8gaD', ' KHhao8ga', 'KHhao8ga ', 'KHhao8g+'])(
		'are not recognised in other text: %p',
		(text) => {
			expect(FINGERPRINTS.test(text)).toBe(false);
		},
	);
});
