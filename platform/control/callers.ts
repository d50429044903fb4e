import type { FastifyReply, FastifyRequest } from 'fastify';

/** Any port: a forwarded one is another than ours. */
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

/** What a browser says of a request that its own page or the user sent. */
const OWN_PAGE = [undefined, 'same-origin', 'none'];

/**
 * Only names of this machine: under any other name a page of its owner could send requests here as if they were to
 * its own site (DNS rebinding).
 */
export async function refuseOtherNames(
	{ headers: { host = '' } }: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	if (!LOOPBACK.test(host)) await refuse(reply, `${host} is no name of this machine`);
}

/**
 * Other pages may not use the control API. A browser names the page that sends a request, but for a plain read
 * (an image, a link); of that it says at least how near the page is. Programs say neither.
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
