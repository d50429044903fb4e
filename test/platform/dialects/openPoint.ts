/** One sentence of the API document that has several readings, and the readings. */
export interface OpenPoint<Value extends string = string> {
	/** The open sentence, or what the document does not show. */
	readonly sentence: string;
	/** What each value means. The first is the default. */
	readonly values: Readonly<Record<Value, string>>;
	/** The value of the contrary dialect. */
	readonly contrary: Value;
}

/** Makes an open point whose contrary value is one of its values. */
export const openPoint = <const Value extends string>(
	sentence: string,
	values: Readonly<Record<Value, string>>,
	contrary: NoInfer<Value>,
): OpenPoint<Value> => ({ sentence, values, contrary });
