import { bulkPoints } from './bulkPoints';
import type { OpenPoint } from './openPoint';
import { streamPoints } from './streamPoints';
import { timePoints } from './timePoints';

/** Every switch of a dialect, in the order of the API document where there is one. */
export const OPEN_POINTS = {
	...timePoints,
	...streamPoints,
	...bulkPoints,
};

export type PointName = keyof typeof OPEN_POINTS;

/** One reading of the API document: a value for each open point. */
export type Dialect = {
	readonly [Name in PointName]: keyof (typeof OPEN_POINTS)[Name]['values'];
};

export const POINT_NAMES = Object.keys(OPEN_POINTS) as PointName[];

/** An open point without the exact type of its values. */
export const pointOf = (name: PointName): OpenPoint => OPEN_POINTS[name] as OpenPoint;

export const valuesOf = (name: PointName): string[] => Object.keys(pointOf(name).values);
