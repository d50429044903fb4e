import type { Platform } from '../../../platform';
import { runCandidate, type Figures, type Job } from '../job';
import { atMost, figure, heading } from '../report';
import { IS_SMALL, inSmall, jobFor, withPlatform } from '../shop';

const WINDOW_MS = inSmall(10_000, 2_000);
const BUDGET = 100;
const REQUESTS = inSmall(1_000, 200);
const SECONDS = WINDOW_MS / 1000;
/** Time for all processes to load n8n's code, so that they begin together, ms. */
const GETTING_READY_MS = 4_000;
/** Requests per window that another integration sends; it knows nothing of ours. */
const FOREIGN = 60;

interface Share {
	candidate: string;
	processes: number;
	/** The largest allowed share of requests that are answered 429. */
	refused: number;
	/** The longest allowed time, as a multiple of the shortest that the budget allows. */
	time?: number;
	foreign?: boolean;
}

/** Candidates of one group run at the same time: they mostly wait. */
const GROUPS: Share[][] = [
	[
		{ candidate: 'get/ours', processes: 1, refused: 0, time: 1.05 },
		{ candidate: 'get/naive', processes: 1, refused: 1 },
		{ candidate: 'get/ours', processes: 1, refused: 0.03, foreign: true },
		{ candidate: 'get/ours', processes: 5, refused: 0.03, time: 1.12 },
	],
	[{ candidate: 'get/ours', processes: 10, refused: 0.03, time: 1.12 }],
	[{ candidate: 'get/ours', processes: 20, refused: 0.06 }],
];

/**
 * Runs under a budget per minute (here 10 s), alone and shared: how long it takes, and how many requests are refused.
 */
export async function pace(n8nFolder: string): Promise<void> {
	const budget = { minuteBudget: BUDGET, minuteWindowMs: WINDOW_MS, dayBudget: 1_000_000 };
	for (const group of IS_SMALL ? GROUPS.slice(0, 1) : GROUPS) {
		const processes = group.reduce((sum, share) => sum + share.processes, 1);
		const startAtMs = nextWindowMs(Date.now() + GETTING_READY_MS * processes);
		const measure = async (share: Share) =>
			await withPlatform({ ...budget, products: 1_000, validate: false }, async (platform) => {
				const job = await jobFor(platform, n8nFolder);
				const stop = share.foreign ? sendFromElsewhere(platform, startAtMs) : () => undefined;
				const all = await runTogether({ ...job, warmUp: false, startAtMs }, share);
				stop();
				await report(share, platform, all);
			});
		await Promise.all(group.map(measure));
	}
}

async function runTogether(
	job: Omit<Job, 'candidate'>,
	{ candidate, processes, foreign }: Share,
): Promise<Figures[]> {
	const count = (foreign ? REQUESTS / 2 : REQUESTS) / processes;
	return await Promise.all(
		Array.from({ length: processes }, async () => await runCandidate({ ...job, candidate, count })),
	);
}

/** Another program with the same key sends evenly over each window, whatever the platform answers. */
function sendFromElsewhere({ baseUrl, apiKey }: Platform, startAtMs: number): () => void {
	const headers = { authorization: `Bearer ${apiKey}` };
	const send = () => {
		if (Date.now() < startAtMs) return;
		void fetch(`${baseUrl}/account`, { headers }).then(async (answer) => await answer.text());
	};
	const timer = setInterval(send, WINDOW_MS / FOREIGN);
	return () => clearInterval(timer);
}

async function report(share: Share, platform: Platform, all: Figures[]): Promise<void> {
	const { candidate, processes, refused, time, foreign } = share;
	const { byRoute } = await platform.control.counters();
	// Nothing is awaited from here on, so that the lines of one report stay together.
	const ours = byRoute.filter(({ route }) => route === '/products/{id}');
	const sum = (entries: typeof ours) => entries.reduce((total, { count }) => total + count, 0);
	const besideText = foreign ? `, beside a program that asks for ${FOREIGN} of each window` : '';
	const processesText = processes === 1 ? 'one process' : `${processes} processes`;
	heading(`${BUDGET} requests in ${SECONDS} s: ${candidate}, ${processesText}${besideText}`);
	const started = Math.min(...all.map(({ startedAtMs }) => startedAtMs));
	const ended = Math.max(...all.map(({ startedAtMs, wallMs }) => startedAtMs + wallMs));
	figure('seconds', (ended - started) / 1000);
	const ratio = (ended - started) / leastMs(started);
	if (time !== undefined) atMost('time / least possible time', ratio, time);
	else if (!foreign) figure('time / least possible time', ratio);
	const share429 = sum(ours.filter(({ status }) => status === 429)) / sum(ours);
	if (candidate === 'get/ours') atMost('answered 429 / sent', share429, refused);
	else figure('answered 429 / sent', share429);
}

/**
 * The shortest time that the budget allows: the rest of the first window, and every further window but the last, in
 * which all requests can go out at its beginning.
 */
const leastMs = (startedAtMs: number): number =>
	nextWindowMs(startedAtMs) - startedAtMs + (Math.ceil(REQUESTS / BUDGET) - 2) * WINDOW_MS;

/** Windows begin at whole multiples of their length. */
const nextWindowMs = (nowMs: number): number => (Math.floor(nowMs / WINDOW_MS) + 1) * WINDOW_MS;
