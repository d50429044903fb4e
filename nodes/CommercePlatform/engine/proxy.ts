import type { SendOptions } from '../../shared/api/request';
import { InputError } from '../../shared/errors/errors';

type Proxy = NonNullable<SendOptions['proxy']>;

const FIELD = 'Proxy';

/** By the schemes that n8n can reach a proxy by; it leaves out any other in silence. */
const DEFAULT_PORTS: Partial<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * The proxy of n8n's Request Options. One that cannot be used is refused: without it the request would go out
 * directly, with the API key.
 *
 * @param entered e.g. `http://name:password@proxy.example:3128`; name and password in percent-encoding
 * @throws InputError, which quotes nothing of it, since it may hold a password
 */
export function proxyOf(entered: unknown): Proxy {
	const url = typeof entered === 'string' && URL.canParse(entered) ? new URL(entered) : undefined;
	const defaultPort = url && DEFAULT_PORTS[url.protocol];
	if (url === undefined || defaultPort === undefined || url.hostname === '')
		throw new InputError(
			FIELD,
			'must be a web address that starts with http:// or https://',
			'Enter it like http://proxy.example:3128. Nothing was sent.',
		);
	const { hostname: host, protocol, username, password } = url;
	const auth = { username: decoded(username), password: decoded(password) };
	return {
		host,
		port: url.port === '' ? defaultPort : Number(url.port),
		protocol: protocol.replace(':', ''),
		...(username === '' ? {} : { auth }),
	};
}

/** A part of the address as n8n takes it, which makes an address of it again and escapes all but %. */
function decoded(part: string): string {
	const text = decode(part);
	if (text !== undefined) return text.replaceAll('%', '%25');
	throw new InputError(
		FIELD,
		'has a % in its name or password that stands for nothing',
		'Write %25 for a percent sign. Nothing was sent.',
	);
}

function decode(part: string): string | undefined {
	try {
		return decodeURIComponent(part);
	} catch {
		return undefined;
	}
}
