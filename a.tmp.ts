import { loadContract } from './platform/api/contract';
void (async () => {
const c0 = process.cpuUsage();
const c = await loadContract();
const c1 = process.cpuUsage(c0); console.log('load', (c1.user+c1.system)/1e6);
const c2 = process.cpuUsage();
for (const o of c.operations) { for (const s of o.statuses) { if (/^\d+$/.test(s)) c.responseFault(o, { status: Number(s), headers: {}, body: {} }); } c.requestFault(o, { params: { id: 'x' }, query: {}, headers: {}, body: undefined } as never); }
const c3 = process.cpuUsage(c2); console.log('compile all', (c3.user+c3.system)/1e6);
})();
