import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { residentAt, type Resident } from '../memory/resident';
import { emptyRecord, newerRecord, trustedRecord, type EndpointRecord } from './record';
import { remembering, sealFor, type Seal, type SealPlace } from './seal';

/** Everything that a hook or a delivery needs to know of its webhook address. */
export interface Scene {
	address: string;
	workflowId: string;
	resident: Resident;
	/** The node's static data as n8n loaded it. */
	data: IDataObject;
	seal: Seal;
	/** The newest record to be trusted; an empty one where there is none. */
	record: EndpointRecord;
}

/**
 * Brings together what static data and this process know of an address; each learns from the other.
 *
 * @param nowMs Unix ms
 */
export function sceneAt(
	context: IHookFunctions | IWebhookFunctions,
	address: string,
	nowMs: number,
): Scene {
	const workflowId = String(context.getWorkflow().id ?? '');
	const data = context.getWorkflowStaticData('node');
	const resident = residentAt(address, nowMs);
	const stored = trustedRecord(data.record, address, workflowId);
	const remembered = trustedRecord(resident.record, address, workflowId);
	resident.record = newerRecord(stored, remembered);
	if (stored !== undefined) resident.seen.learn(data.seen, nowMs);
	const seal = sealOf(resident, { instanceId: context.getInstanceId(), workflowId, address });
	const record = resident.record ?? emptyRecord(address, workflowId);
	return { address, workflowId, resident, data, seal, record };
}

/** Making a seal costs more than all else that a delivery costs here, so it is kept. */
function sealOf(resident: Resident, place: SealPlace): Seal {
	const { workflowId, instanceId } = place;
	const kept = resident.seal;
	if (kept?.workflowId === workflowId && kept.instanceId === instanceId) return kept.seal;
	const seal = remembering(sealFor(place));
	resident.seal = { workflowId, instanceId, seal };
	return seal;
}

/**
 * Makes a record the truth, in this process and in the static data that n8n saves after a hook.
 *
 * @param nowMs Unix ms
 */
export function keepRecord(scene: Scene, record: EndpointRecord, nowMs: number): void {
	scene.record = record;
	scene.resident.record = record;
	Object.assign(scene.data, scene.resident.write(nowMs));
}
