import { createHmac, randomBytes } from 'node:crypto';
import { invalid } from '../shop/refusal';

/** Where a page ended: a position, or a sort value and the position of the record that has it. */
export type Place = number | [value: string | number, index: number];

/**
 * Opaque cursors (Pagination rules 2). Each carries its place under a MAC over the list and query
 * that it belongs to, so that a built, changed or foreign cursor is noticed.
 */
export class Cursors {
	private readonly secret = randomBytes(32);

	/** @param walk names the list and its query without limit and cursor. */
	make(walk: string, place: Place): string {
		const body = Buffer.from(JSON.stringify(place)).toString('base64url');
		return `${this.mac(walk, body)}${body}`;
	}

	/** @throws Refusal INVALID_PARAMETER. */
	read(walk: string, cursor: string): Place {
		const body = cursor.slice(MAC_LENGTH);
		if (cursor.slice(0, MAC_LENGTH) !== this.mac(walk, body)) {
			throw invalid('cursor is not one of this list and query');
		}
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
