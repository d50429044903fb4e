import { isLoopbackHost, isPrivateHost } from '../shared/rest/credential';

/**
 * Says why the platform cannot send deliveries to a webhook address (API document, "Receiver requirements": HTTPS
 * only). An address on this machine is allowed only if the platform runs on this machine. An address of a private
 * network is allowed only if the platform runs on such a network, or on this machine.
 *
 * @param address the webhook URL of n8n
 * @param platform base URL of the API
 * @returns undefined if the platform can
 */
export function addressProblem(address: string, platform: string): string | undefined {
	const url = urlOf(address);
	const [host, platformHost] = [url, urlOf(platform)].map((parsed) => parsed?.hostname ?? '');
	if (isThisMachine(host)) {
		if (isLoopbackHost(platformHost)) return undefined;
		return `The platform cannot reach n8n at ${url?.origin}, an address of this machine only`;
	}
	if (isPrivateHost(host)) {
		if (isPrivateHost(platformHost) || isThisMachine(platformHost)) return undefined;
		return `The platform cannot reach n8n at ${url?.origin}, an address of a private network only`;
	}
	if (url?.protocol === 'https:') return undefined;
	return `The platform delivers to https addresses only, and n8n's is “${url?.origin ?? address}”`;
}

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

function isThisMachine(hostname: string): boolean {
	const bare = hostname.replace(/\.$/, '');
	return isLoopbackHost(bare) || /\.localhost$|^0\.0\.0\.0$|^\[::(ffff:7f.*)?\]$/.test(bare);
}
