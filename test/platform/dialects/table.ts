import { answerPoints } from './answerPoints';
import { bulkPoints } from './bulkPoints';
import { errorPoints } from './errorPoints';
import type { OpenPoint } from './openPoint';
import { recordPoints } from './recordPoints';
import { rulePoints } from './rulePoints';
import { streamPoints } from './streamPoints';
import { timePoints } from './timePoints';
import { webhookPoints } from './webhookPoints';

/** Every switch of a dialect, in the order of the API document where there is one. */
export const OPEN_POINTS = {
	...answerPoints,
	...recordPoints,
	...timePoints,
	...rulePoints,
	...errorPoints,
	...webhookPoints,
	...bulkPoints,
	...streamPoints,
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
