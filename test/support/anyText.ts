import fc from 'fast-check';

/**
 * Any valid Unicode text. fast-check's own, `unit: 'binary'`, first makes a list of all characters, which takes a
 * second.
 */
export const anyText = fc.oneof(
	fc.string(),
	fc
		.uint32Array({ max: 0x10_ff_ff })
		.map((points) => String.fromCodePoint(...points).toWellFormed()),
);
