import fc from 'fast-check';

/** A template of JSON, and what it means with the values of its expressions. */
export interface JsonTemplate {
	/** As a user writes it, with expressions; they read `$json.texts`. */
	text: string;
	/** What n8n makes of it. */
	resolved: string;
	/** The texts that the expressions read. */
	texts: string[];
	/** Undefined if what its expressions give is no JSON. */
	meaning: unknown;
}

/** A part of a template: it adds to the texts that expressions read. */
type Part = (texts: string[]) => Omit<JsonTemplate, 'texts'>;

/** Texts that attack: quotes, braces, backslashes, names of the template and new ones, unicode escapes. */
const hostileText = fc
	.array(
		fc.constantFrom(
			...['"', '\\', '{', '}', '[', ']', ',', ':', ' ', 'a', 'b', 'x', '1', '\\u0022', '\n', '{{'],
			...['", "a": "', '", "b": 2, "c": "', '"}, {"a": "', '" } ', '", "', '\\", "', '}}', '```'],
			...['", "\\u0061": "', '", "amount": 1, "sku": "A', '", "__proto__": {"a": 1}, "x": "'],
		),
		{ maxLength: 6 },
	)
	.map((parts) => parts.join(''));
export const ordinaryText = fc.constantFrom('Ann', "O'Neil (x)", 'a {b} [c], d: e', 'naïve', '');
const drawnText = fc.oneof(hostileText, ordinaryText, ordinaryText);

const same = (meaning: unknown): Part => {
	const written = JSON.stringify(meaning);
	return () => ({ text: written, resolved: written, meaning });
};

const literal = fc.constantFrom<unknown>(0, 99, true, null, 'text', 'say "a": \\u0061').map(same);

/** Code that keeps a text as it is. */
const KEEPS = [
	(path: string) => path,
	(path: string) => `${path}.replace(/~+$/, "")`,
	(path: string) => `${path}.replaceAll('~', '')`,
];

/** A text in quotes, with words of the template around what an expression gives. */
const quoted = fc
	.tuple(
		fc.constantFrom('', 'No. ', '"a": '),
		drawnText,
		fc.constantFrom('', ' end', '\\'),
		fc.constantFrom(...KEEPS),
	)
	.map(([before, text, after, code]): Part => (texts) => {
		const [start, end] = [before, after].map((words) => JSON.stringify(words).slice(1, -1));
		const path = `$json.texts[${texts.push(text) - 1}]`;
		return {
			text: `"${start}{{ ${code(path)} }}${end}"`,
			resolved: `"${start}${text}${end}"`,
			meaning: before + text + after,
		};
	});

/** The same with code that writes the escapes of JSON. */
const escaped = drawnText.map((text): Part => (texts) => {
	const path = `$json.texts[${texts.push(text) - 1}]`;
	return {
		text: `"{{ JSON.stringify(${path}).slice(1, -1) }}"`,
		resolved: JSON.stringify(text),
		meaning: text,
	};
});

const stringified = drawnText.map((text): Part => (texts) => ({
	text: `{{ JSON.stringify($json.texts[${texts.push(text) - 1}]) }}`,
	resolved: JSON.stringify(text),
	meaning: text,
}));

/** A value without quotes around it: whatever else it gives is no part of the template. */
const bare = fc
	.oneof(
		fc.constantFrom(
			'5',
			'null',
			'{"a":1}',
			'[1, 2]',
			'"x"',
			'1, "b": 2',
			'1, "a": 2',
			'1 }, { "a": 1',
		),
		drawnText,
	)
	.map((text): Part => (texts) => ({
		text: `{{ $json.texts[${texts.push(text) - 1}] }}`,
		resolved: text,
		meaning: parsed(text),
	}));

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const NAMES = ['a', 'b', 'c'];
/** A name; or one from an expression in quotes. */
const nameOf = (name: string) =>
	fc.oneof(
		{ arbitrary: fc.constant(same(name)), weight: 9 },
		{
			arbitrary: fc.constantFrom('d', 'a', 'b', 'e", "a').map((text): Part => (texts) => ({
				text: `"{{ $json.texts[${texts.push(text) - 1}] }}"`,
				resolved: `"${text}"`,
				meaning: text,
			})),
			weight: 1,
		},
	);

const objectOf =
	(fields: ReadonlyArray<readonly [name: Part, value: Part]>): Part =>
	(texts) => {
		const made = fields.map(([name, value]) => [name(texts), value(texts)] as const);
		const write = (part: 'text' | 'resolved') =>
			`{ ${made.map(([name, value]) => `${name[part]}: ${value[part]}`).join(', ')} }`;
		const names = made.map(([{ meaning }]) => String(meaning));
		const isClear =
			new Set(names).size === names.length &&
			made.every(([, { meaning }]) => meaning !== undefined);
		return {
			text: write('text'),
			resolved: write('resolved'),
			meaning: isClear
				? Object.fromEntries(made.map(([, { meaning }], n) => [names[n], meaning]))
				: undefined,
		};
	};

const listOf =
	(entries: readonly Part[]): Part =>
	(texts) => {
		const made = entries.map((entry) => entry(texts));
		const write = (part: 'text' | 'resolved') => `[${made.map((one) => one[part]).join(', ')}]`;
		const meanings = made.map(({ meaning }) => meaning);
		return {
			text: write('text'),
			resolved: write('resolved'),
			meaning: meanings.includes(undefined) ? undefined : meanings,
		};
	};

const { part, fields } = fc.letrec<{ part: Part; fields: Array<readonly [Part, Part]> }>((tie) => ({
	fields: fc
		.subarray(NAMES, { minLength: 1 })
		.chain((names) => fc.tuple(...names.map((name) => fc.tuple(nameOf(name), tie('part')))))
		.map((pairs) => pairs),
	part: fc.oneof(
		{ maxDepth: 3, withCrossShrink: true },
		fc.oneof(literal, quoted, quoted, escaped, stringified, bare),
		tie('fields').map(objectOf),
		fc.array(tie('part'), { minLength: 2, maxLength: 3 }).map(listOf),
	),
}));

function made(root: Part): JsonTemplate {
	const texts: string[] = [];
	const { text, resolved, meaning } = root(texts);
	return { text, resolved, texts, meaning };
}

/** Drawn templates with drawn texts. */
export const jsonTemplates = part.map(made);

/**
 * Templates of an object with these fields and drawn ones.
 *
 * @param base what the object must have; an expression may give a text of it
 * @param isList whether the object is the only one of a list
 */
export const jsonTemplatesWith = (base: Record<string, unknown>, isList = false) =>
	fc
		.tuple(
			fc.tuple(
				...Object.entries(base).map(([name, value]) =>
					fc.tuple(
						fc.constant(same(name)),
						typeof value === 'string'
							? fc.oneof(fc.constant(same(value)), ofText(value))
							: fc.constant(same(value)),
					),
				),
			),
			fields,
			fc.boolean(),
		)
		.map(([basePairs, drawn, isBaseFirst]) => {
			const root = objectOf(isBaseFirst ? [...basePairs, ...drawn] : [...drawn, ...basePairs]);
			return made(isList ? listOf([root]) : root);
		});

/** The text in quotes, by an expression that may give a hostile text instead. */
const ofText = (value: string) =>
	fc
		.oneof(
			fc.constant(value),
			hostileText.map((text) => value + text),
		)
		.map((text): Part => (texts) => ({
			text: `"{{ $json.texts[${texts.push(text) - 1}] }}"`,
			resolved: `"${text}"`,
			meaning: text,
		}));
