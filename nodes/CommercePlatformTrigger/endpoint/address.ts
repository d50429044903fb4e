import { isLoopbackHost } from '../../shared/api/credential';

/** Why the platform cannot reach n8n, and what to do. */
export interface AddressProblem {
	message: string;
	remedy: string;
}

const REMEDY =
	'Give n8n a public https address: set the environment variable N8N_WEBHOOK_URL (n8n before 2.30: WEBHOOK_URL) to it, for a trial to that of a tunnel, restart n8n, then unpublish the workflow and publish it.';

/**
 * Whether the platform can send deliveries to a webhook address (API document, "Receiver requirements":
 * HTTPS only). An address on this machine is allowed only towards a platform on this machine.
 *
 * @param address the webhook URL of n8n
 * @param platform base URL of the API
 * @returns undefined where it can
 */
export function addressProblem(address: string, platform: string): AddressProblem | undefined {
	const url = parse(address);
	if (url === undefined) {
		return { message: `n8n's webhook address “${address}” is not a web address`, remedy: REMEDY };
	}
	const platformIsHere = isLoopbackHost(parse(platform)?.hostname ?? '');
	if (isThisMachine(url.hostname)) {
		if (platformIsHere) return undefined;
		return {
			message: `The platform cannot reach n8n at ${url.origin}, an address of this machine only`,
			remedy: REMEDY,
		};
	}
	if (url.protocol === 'https:') return undefined;
	return {
		message: `The platform delivers to https addresses only, and n8n's is ${url.origin}`,
		remedy: REMEDY,
	};
}

function isThisMachine(hostname: string): boolean {
	const bare = hostname.replace(/\.$/, '');
	return (
		isLoopbackHost(bare) ||
		bare.endsWith('.localhost') ||
		bare === '0.0.0.0' ||
		bare === '[::]' ||
		/^\[::ffff:7f[0-9a-f]{2}:/.test(bare)
	);
}

function parse(text: string): URL | undefined {
	try {
		const url = new URL(text);
		return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
	} catch {
		return undefined;
	}
}
