import { plainName } from '../../../shared/shop/records';
import { wholeOf } from '../../../shared/values/readers';
import { isCount, isPart, type Matter, matterOf } from './sendingWords';

/** What a field says without counting the pieces of a line. */
interface Claim {
	matter: Matter;
	/** The field with its value, for messages. */
	text: string;
	/** Whether it is about some pieces only. A claim about all pieces contradicts open ones. */
	isPartial: boolean;
	/** How many pieces, if the order counts them without naming its lines. */
	pieces: number;
}

/** Counts the pieces of a line, or of the whole order, and collects what is said about them. */
export class Pieces {
	private readonly counts = { sent: 0, returned: 0, refunded: 0, cancelled: 0 };
	private readonly openCounts: number[] = [];
	private readonly claims: Claim[] = [];
	private isAllGone = false;

	/** @param quantity ordered pieces */
	constructor(readonly quantity: number) {}

	/** Counts pieces of a line. Several fields may count the same pieces, so the largest number holds. */
	count(matter: Exclude<Matter, 'open'>, _field: string, pieces: number): void {
		this.counts[matter] = Math.max(this.counts[matter], pieces);
	}

	/** Notes what a field says. */
	say(matter: Matter, field: string, value: unknown, isState = false, isLine = false): void {
		const pieces = isCount(field) ? wholeOf(value) : undefined;
		const text = `“${field}: ${String(value).slice(0, 40)}”`;
		if (pieces !== undefined && matter === 'open') this.openCounts.push(pieces);
		else if (pieces !== undefined && isLine && matter !== 'open') this.count(matter, field, pieces);
		else if (isState && isLine && WHOLE.test(plainName(String(value)))) {
			this.isAllGone = true;
			this.claims.push({
				matter: matterOf(String(value)) ?? matter,
				text,
				isPartial: false,
				pieces: 0,
			});
		} else {
			const isMoney = pieces === undefined && typeof value !== 'boolean' && Number(value) > 0;
			const isPartOfLine = isLine && value === true && matter !== 'sent';
			const isPartial = pieces !== undefined || isMoney || isPart(value) || isPartOfLine;
			this.claims.push({ matter, text, isPartial, pieces: pieces ?? 0 });
		}
	}

	/** Adds up the lines: an order's counts are those of its lines. */
	addUp(lines: Iterable<Pieces>): void {
		let open = 0;
		for (const line of lines) {
			for (const matter of MATTERS) this.counts[matter] += line.counts[matter];
			const openPieces = line.open();
			if (typeof openPieces === 'number') open += openPieces;
			// If a line says how much is open, or that all of it is gone, the other pieces count as sent.
			const hasCounts = MATTERS.some((matter) => line.counts[matter] > 0);
			if (!hasCounts && typeof openPieces === 'number')
				this.counts.sent += line.quantity - openPieces;
		}
		const differing = this.openCounts.find((pieces) => pieces !== open);
		if (differing !== undefined)
			this.claims.push({
				matter: 'open',
				text: `that ${differing} pieces are open`,
				isPartial: false,
				pieces: 0,
			});
	}

	/** The first claim that the counted pieces do not explain. */
	unexplained(): string | undefined {
		return this.claims.find(({ matter, isPartial, pieces }) => {
			if (matter === 'open' || !isPartial) return true;
			return this.counts[matter] === 0 || this.counts[matter] < pieces;
		})?.text;
	}

	/** @returns the open pieces of a line, or why they cannot be told */
	open(): number | string {
		const { sent, returned, refunded, cancelled } = this.counts;
		const gone = Math.max(sent, returned);
		const notWanted = Math.max(refunded, cancelled);
		const [open = this.quantity - gone - notWanted, ...otherOpenCounts] = this.openCounts;
		if (otherOpenCounts.some((count) => count !== open)) return 'it counts its open pieces twice';
		if (Math.max(gone, notWanted) > this.quantity) return 'more pieces are gone than were ordered';
		if (this.isAllGone) {
			const isCounted = gone > 0 || this.openCounts.length > 0;
			return isCounted && open > 0 ? 'its state and its numbers differ' : 0;
		}
		if (open + Math.max(gone, notWanted) > this.quantity)
			return 'its numbers contradict each other';
		if (open === 0 && this.openCounts.length > 0) return 0;
		const isOverlap =
			gone > 0 && notWanted > 0 && gone < this.quantity && notWanted < this.quantity;
		if (isOverlap && this.openCounts.length === 0)
			return 'some pieces were sent and some refunded or cancelled, and they may be the same';
		if (open <= 0) return 0;
		const isCountedOpen = open < this.quantity && this.openCounts.length > 0;
		const doubt = this.claims.find(
			({ matter, isPartial }) =>
				matter === 'open' ||
				!isPartial ||
				(this.counts[matter] === 0 && !(isCountedOpen && matter === 'sent')),
		);
		return doubt?.text ?? open;
	}
}

const MATTERS = ['sent', 'returned', 'refunded', 'cancelled'] as const;

/** The state of a line whose pieces are all gone. */
const WHOLE =
	/^(fulfill?ed|shipped|delivered|dispatched|despatched|sent|returned|refunded|cancell?ed|complete|completed|intransit)$/;
