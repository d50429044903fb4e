import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../shared/values/json';
import { skuKey } from '../productWrite';
import type { FoundResults } from './findResults';
import { indexIn, recordIn, skusOf } from './resultRecord';
import type { ResultEntry } from './resultTypes';

/** The results of one operation, and whether an answer contradicts itself about it. */
export interface PlacedResults {
	entries: ResultEntry[];
	contradicted: boolean;
}

/** What an entry says about the operation that it belongs to. Positions in the batch, 0 for the first. */
interface Claim {
	entry: ResultEntry;
	/** As the answer writes it, from 0 or from 1. */
	index?: number;
	/** The operation whose SKU it names. */
	bySku?: number;
	/** It names a SKU that was not sent. */
	isForeign: boolean;
	/** The operation whose SKU its product holds, where there is only one. */
	byProduct?: number;
}

/**
 * Finds out to which operation each result belongs: by its index and its SKU, which must agree; else by the
 * SKUs of its product; else by its place in a whole list. Whatever has more than one reading is left out.
 *
 * @param skus of the operations as they were sent, all different
 */
export function placeResults(skus: readonly string[], found: FoundResults): PlacedResults[] {
	const positions = new Map(skus.map((sku, position) => [skuKey(sku), position]));
	const claims = found.entries.map((entry) => claimOf(entry, positions));
	const first = firstIndexOf(claims, skus.length);
	const placed: PlacedResults[] = skus.map(() => ({ entries: [], contradicted: false }));
	const left: number[] = [];
	claims.forEach((claim, order) => {
		const targets = targetsOf(claim, first, skus.length);
		if (targets.length === 0 && !claim.isForeign) left.push(order);
		if (targets.length === 1 && !claim.isForeign) placed[targets[0]].entries.push(claim.entry);
		else for (const target of targets) placed[target].contradicted = true;
	});
	if (left.length > 0 && isInOrder(found, claims, first, skus.length)) {
		for (const order of left) placed[order].entries.push(claims[order].entry);
	}
	return placed;
}

function claimOf(entry: ResultEntry, positions: Map<string, number>): Claim {
	const { value } = entry;
	if (!isObject(value)) return { entry, isForeign: false };
	const sku = [value.sku, isObject(value.operation) ? value.operation.sku : undefined].find(
		(one): one is string => typeof one === 'string',
	);
	const bySku = sku === undefined ? undefined : positions.get(skuKey(sku));
	return {
		entry,
		index: indexIn(value),
		bySku,
		// A bare product's own SKU may be that of another of its variants.
		isForeign: sku !== undefined && bySku === undefined && recordIn(value) !== value,
		byProduct: byProductOf(value, positions),
	};
}

function byProductOf(value: IDataObject, positions: Map<string, number>): number | undefined {
	const product = recordIn(value);
	const sent = new Set(
		(product === undefined ? [] : skusOf(product)).flatMap(
			(sku) => positions.get(skuKey(sku)) ?? [],
		),
	);
	return sent.size === 1 ? [...sent][0] : undefined;
}

/**
 * Whether the answer counts from 0 or from 1.
 *
 * @returns undefined where it cannot be known; an index then says nothing
 */
function firstIndexOf(claims: Claim[], count: number): 0 | 1 | undefined {
	const indexes = new Set(claims.flatMap(({ index }) => index ?? []));
	const agreeing = ([0, 1] as const).filter((first) =>
		claims.every(({ index, bySku, byProduct }) => {
			const named = bySku ?? byProduct;
			return index === undefined || named === undefined || named === index - first;
		}),
	);
	const hasNames = claims.some((claim) => (claim.bySku ?? claim.byProduct) !== undefined);
	if (hasNames && agreeing.length === 1) return agreeing[0];
	if (indexes.has(0)) return 0;
	const isWhole = Array.from({ length: count }, (_, at) => at + 1).every((at) => indexes.has(at));
	const isInRange = [...indexes].every((index) => index >= 1 && index <= count);
	return isWhole || (isInRange && indexes.has(count)) ? 1 : undefined;
}

/** Every operation that an entry may mean; more than one where it contradicts itself. */
function targetsOf(claim: Claim, first: 0 | 1 | undefined, count: number): number[] {
	const byIndex =
		claim.index === undefined || first === undefined ? undefined : claim.index - first;
	const strong = [byIndex, claim.bySku].filter(
		(position): position is number => position !== undefined && position >= 0 && position < count,
	);
	if (strong.length > 0) return [...new Set(strong)];
	return claim.byProduct === undefined ? [] : [claim.byProduct];
}

/** Whether the place of an entry in the list tells its operation: nothing is missing and nothing moved. */
function isInOrder(
	{ isOneList }: FoundResults,
	claims: Claim[],
	first: 0 | 1 | undefined,
	count: number,
): boolean {
	return (
		isOneList &&
		claims.length === count &&
		claims.every((claim, order) => {
			const targets = targetsOf(claim, first, count);
			return !claim.isForeign && (targets.length === 0 || targets.join() === String(order));
		})
	);
}
