/** What stands in the place of the API key. */
const PLACEHOLDER = '[API key]';

/** A shorter key may stand in a record by chance, and a record must not be changed then. Characters. */
const MIN_LENGTH_IN_RECORDS = 12;

/** Takes the API key out of texts that came from outside. A text without the key costs a search. */
export interface Scrubber {
	/** Out of a text for people: a message, a code, a request id. */
	message(text: string): string;
	/** Out of a header's value. */
	header(text: string): string;
	/** Out of a JSON text, also where the key is escaped in it; it stays JSON. */
	json(text: string): string;
}

/** @param apiKey printable ASCII without spaces */
export function scrubberOf(apiKey: string): Scrubber {
	const message = (text: string) => text.replaceAll(apiKey, PLACEHOLDER);
	const asItIs = (text: string) => text;
	if (apiKey.length < MIN_LENGTH_IN_RECORDS) return { message, header: asItIs, json: asItIs };
	// Every other escape is matched as well, so that no match begins in the middle of one.
	const pattern = new RegExp(`(${[...apiKey].map(formsInJson).join('')})|\\\\.`, 'gs');
	const needsEscape = /["\\/]/.test(apiKey);
	const json = (text: string) => {
		const mayHoldIt = text.includes(needsEscape ? '\\' : '\\u00') || text.includes(apiKey);
		if (!mayHoldIt) return text;
		return text.replace(pattern, (match, key?: string) =>
			key === undefined ? match : PLACEHOLDER,
		);
	};
	return { message, header: message, json };
}

/** How a character may stand in a JSON text, as a regular expression. */
function formsInJson(character: string): string {
	const hex = character.charCodeAt(0).toString(16);
	const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
	const byNumber = `\\\\u00${anyCase}`;
	const literal = character.replace(/\W/, '\\$&');
	if (character === '"' || character === '\\') return `(?:\\\\${literal}|${byNumber})`;
	return character === '/' ? `(?:\\\\?/|${byNumber})` : `(?:${literal}|${byNumber})`;
}
