import type { FastifyReply, FastifyRequest } from 'fastify';

/** Any port: a forwarded port is not the one that this server listens on. */
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

/** The `Sec-Fetch-Site` of a request that this page or the user sent. */
const OWN_PAGE = [undefined, 'same-origin', 'none'];

/**
 * Refuses every host name but this machine's. Under a name of its own, a foreign page could send requests here as if to
 * its own site (DNS rebinding).
 */
export async function refuseOtherNames(
	{ headers: { host = '' } }: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	if (!LOOPBACK.test(host)) await refuse(reply, `${host} is no name of this machine`);
}

/**
 * Refuses requests of other pages. A browser names the page in `Origin`, except for plain reads (an image, a link); for
 * these it sends at least `Sec-Fetch-Site`. Programs send neither.
 */
export async function refuseOtherPages(
	{ headers }: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	const { origin, host, 'sec-fetch-site': site } = headers;
	if (origin !== undefined && origin !== `http://${host}`) {
		await refuse(reply, `The page ${origin} may not use the control API`);
	} else if (!OWN_PAGE.includes(site as string | undefined)) {
		await refuse(reply, 'Other pages may not use the control API');
	}
}

const refuse = async (reply: FastifyReply, error: string) => await reply.code(403).send({ error });
