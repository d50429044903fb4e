import POINTS from './points.json';

/**
 * Every switch of a dialect, in the order of the API document where there is one: a sentence with several readings, and
 * the readings. The table groups the switches by topic.
 */
export const OPEN_POINTS = {
	...POINTS.answer,
	...POINTS.record,
	...POINTS.time,
	...POINTS.rule,
	...POINTS.error,
	...POINTS.webhook,
	...POINTS.bulk,
	...POINTS.stream,
};

export { POINTS };

export type PointName = keyof typeof OPEN_POINTS;

/** One sentence of the API document that has several readings, and the readings. */
export interface OpenPoint {
	/** The open sentence, or what the document does not show. */
	readonly sentence: string;
	/** What each value means. The first is the default. */
	readonly values: Readonly<Record<string, string>>;
	/** The value of the contrary dialect. */
	readonly contrary: string;
	/** The form that a value gives an answer (form.ts), or the status, word or number that it stands for. */
	readonly forms?: Readonly<Record<string, unknown>>;
}

/** One reading of the API document: a value for each open point. */
export type Dialect = {
	readonly [Name in PointName]: keyof (typeof OPEN_POINTS)[Name]['values'];
};

export const POINT_NAMES = Object.keys(OPEN_POINTS) as PointName[];

/** An open point without the exact type of its values. */
export const pointOf = (name: PointName): OpenPoint => OPEN_POINTS[name];

export const valuesOf = (name: PointName): string[] => Object.keys(pointOf(name).values);
