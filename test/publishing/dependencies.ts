import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { init, type ModuleInfos } from 'license-checker-rseidelsohn';

/**
 * `npm run report:dependencies`: licences and known vulnerabilities of what the development of this package uses, as
 * Markdown. The published package itself depends on nothing. It is a report: it fails only where it cannot be made.
 */
const REPOSITORY = join(__dirname, '..', '..');
const SEVERITIES = ['critical', 'high', 'moderate', 'low'] as const;

interface Audit {
	metadata?: { vulnerabilities: Record<string, number> };
	vulnerabilities?: Record<string, { name: string; severity: string; fixAvailable: unknown }>;
	message?: string;
}

async function licences(): Promise<ModuleInfos> {
	return await new Promise((resolve, reject) => {
		init({ start: REPOSITORY, excludePrivatePackages: true }, (error, packages) =>
			error ? reject(error) : resolve(packages),
		);
	});
}

function licenceReport(packages: ModuleInfos): string {
	const byLicence = new Map<string, string[]>();
	for (const [name, { licenses = 'unknown' }] of Object.entries(packages)) {
		const licence = Array.isArray(licenses) ? licenses.join(' OR ') : licenses;
		byLicence.set(licence, [...(byLicence.get(licence) ?? []), name]);
	}
	const rows = [...byLicence]
		.sort(([, a], [, b]) => b.length - a.length)
		.map(
			([licence, names]) => `| ${licence} | ${names.length} | ${names.slice(0, 3).join(', ')} |`,
		);
	return [
		'## Licences',
		'',
		'| licence | packages | for example |',
		'| --- | --- | --- |',
		...rows,
	].join('\n');
}

/** A registry may not answer this question; then that is said. */
function vulnerabilityReport(): string {
	const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: REPOSITORY, encoding: 'utf8' });
	const audit = readAudit(stdout);
	const counts = audit.metadata?.vulnerabilities;
	const title = '## Known vulnerabilities';
	if (counts === undefined) {
		return `${title}\n\nThe registry gave no answer: ${audit.message ?? 'nothing readable'}`;
	}
	const grave = Object.values(audit.vulnerabilities ?? {})
		.filter(({ severity }) => severity === 'critical' || severity === 'high')
		.map(
			({ name, severity, fixAvailable }) =>
				`| ${name} | ${severity} | ${fixAvailable ? 'yes' : 'no'} |`,
		);
	return [
		title,
		'',
		SEVERITIES.map((severity) => `${counts[severity] ?? 0} ${severity}`).join(', '),
		...(grave.length > 0
			? ['', '| package | severity | fix |', '| --- | --- | --- |', ...grave]
			: []),
	].join('\n');
}

function readAudit(text: string): Audit {
	try {
		return JSON.parse(text) as Audit;
	} catch {
		return {};
	}
}

async function main(): Promise<void> {
	console.log(licenceReport(await licences()));
	console.log(`\n${vulnerabilityReport()}`);
}

void main();
