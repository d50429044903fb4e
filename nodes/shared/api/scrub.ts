/** What stands in the place of the API key. */
const PLACEHOLDER = '[API key]';

/** A shorter key may stand in a record by chance, and a record must not be changed then. Characters. */
const MIN_LENGTH_IN_RECORDS = 12;

/** Takes the API key out of a text that came from outside. */
export interface Scrubber {
	/** Out of a text for people: a message, a code, a request id. */
	message(text: string): string;
	/** Out of an answer's body or header, as it came; a text without the key costs a search. */
	answer(text: string): string;
}

/** @param apiKey printable ASCII without spaces */
export function scrubberOf(apiKey: string): Scrubber {
	const message = (text: string) => text.replaceAll(apiKey, PLACEHOLDER);
	if (apiKey.length < MIN_LENGTH_IN_RECORDS) return { message, answer: (text) => text };
	const inJson = new RegExp([...apiKey].map(anyFormInJson).join(''), 'g');
	// Most keys hold nothing that JSON must escape, and most answers no escaped ASCII letter.
	const escape = /["\\/]/.test(apiKey) ? '\\' : '\\u00';
	return {
		message,
		answer: (text) => {
			const without = text.includes(apiKey) ? message(text) : text;
			return without.includes(escape) ? without.replace(inJson, PLACEHOLDER) : without;
		},
	};
}

/** A character as it is, behind a backslash, or by its number. */
function anyFormInJson(character: string): string {
	const hex = character.charCodeAt(0).toString(16);
	const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
	const literal = character.replace(/[^\w]/g, '\\$&');
	return `(?:\\\\?${literal}|\\\\u00${anyCase})`;
}
