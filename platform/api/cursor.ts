import { createHmac, randomBytes } from 'node:crypto';
import { invalid } from '../shop/refusal';
import type { Place } from '../shop/collection';

/**
 * Opaque cursors (Pagination rules 2). Each carries its place and a MAC over its list and query, so the platform
 * refuses a cursor that was made up, changed or taken from another list.
 */
export class Cursors {
	private readonly secret = randomBytes(32);

	/** @param isOdd whether cursors hold characters that an address must encode; asked for every cursor */
	constructor(private readonly isOdd: () => boolean = () => false) {}

	/** @param walk names the list and its query, without limit and cursor */
	make(walk: string, place: Place): string {
		const body = Buffer.from(JSON.stringify(place)).toString('base64url');
		return `${this.isOdd() ? ODD_START : ''}${this.mac(walk, body)}${body}`;
	}

	/** @throws Refusal INVALID_PARAMETER for a cursor of another walk */
	read(walk: string, cursor: string): Place {
		const place = this.find(walk, cursor);
		if (place === undefined) throw invalid('cursor is not one of this list and query');
		return place;
	}

	/** The place of a cursor; `undefined` if the cursor does not belong to this walk. */
	find(walk: string, cursor: string): Place | undefined {
		const start = this.isOdd() ? ODD_START : '';
		if (!cursor.startsWith(start)) return undefined;
		const text = cursor.slice(start.length);
		const body = text.slice(MAC_LENGTH);
		if (text.slice(0, MAC_LENGTH) !== this.mac(walk, body)) return undefined;
		return JSON.parse(Buffer.from(body, 'base64url').toString()) as Place;
	}

	private mac(walk: string, body: string): string {
		return createHmac('sha256', this.secret)
			.update(`${walk}\n${body}`)
			.digest('base64url')
			.slice(0, MAC_LENGTH);
	}
}

const MAC_LENGTH = 24;

/** Characters that have a meaning in an address unless they are encoded. */
const ODD_START = '+/=&#% ?';
