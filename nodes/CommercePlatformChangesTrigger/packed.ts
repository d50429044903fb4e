import {
	CONTENT_LENGTH,
	KEY_LENGTH,
	LAST_TIME_MS,
	type Version,
	type Versions,
} from './walk/change';

/** Digits of 6 bits, in order. */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz-';

/** Digits of a time in Unix ms. */
const TIME_LENGTH = 7;

function packTime(timeMs: number): string {
	let rest = Math.min(LAST_TIME_MS, Math.max(0, Math.floor(timeMs)));
	let text = '';
	for (let n = 0; n < TIME_LENGTH; n++) {
		text = DIGITS[rest % 64] + text;
		rest = Math.floor(rest / 64);
	}
	return text;
}

const unpackTime = (text: string): number =>
	[...text].reduce((ms, digit) => ms * 64 + DIGITS.indexOf(digit), 0);

/** Versions as n8n stores them: key, time and content of each, in 19 characters. */
export const packVersions = (versions: Versions): string =>
	[...versions].map(([key, { timeMs, content }]) => key + packTime(timeMs) + content).join('');

const PACKED = new RegExp(`(.{${KEY_LENGTH}})(.{${TIME_LENGTH}})(.{${CONTENT_LENGTH}})`, 'g');

/** The versions that `packVersions` has packed, in the same order. */
export const unpackVersions = (packed: string): Versions =>
	new Map(
		[...packed.matchAll(PACKED)].map(([, key, time, content]): [string, Version] => [
			key,
			{ timeMs: unpackTime(time), content },
		]),
	);
