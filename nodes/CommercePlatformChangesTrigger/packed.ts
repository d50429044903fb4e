import {
	CONTENT_LENGTH,
	KEY_LENGTH,
	LAST_TIME_MS,
	type Version,
	type Versions,
} from './walk/change';

/** The digits of a number to the base 64, in ascending order. */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz-';

/** How many digits a time has, Unix ms. */
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

/** Packs versions for n8n to store: 19 characters each, for key, time and content. */
export const packVersions = (versions: Versions): string =>
	[...versions].map(([key, { timeMs, content }]) => key + packTime(timeMs) + content).join('');

const PACKED = new RegExp(`(.{${KEY_LENGTH}})(.{${TIME_LENGTH}})(.{${CONTENT_LENGTH}})`, 'g');

/** Unpacks what `packVersions` has packed, in the same order. */
export const unpackVersions = (packed: string): Versions =>
	new Map(
		[...packed.matchAll(PACKED)].map(([, key, time, content]): [string, Version] => [
			key,
			{ timeMs: unpackTime(time), content },
		]),
	);
