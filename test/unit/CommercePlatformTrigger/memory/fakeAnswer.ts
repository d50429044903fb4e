import { EventEmitter } from 'node:events';

import type { OutgoingAnswer } from '../../../../nodes/CommercePlatformTrigger/memory/pendingDeliveries';

/** The part of an Express response that memory looks at. */
export class FakeAnswer extends EventEmitter implements OutgoingAnswer {
	statusCode = 200;
	writableEnded = false;
	destroyed = false;

	/** n8n answers; where the sender is gone no `finish` comes. */
	send(status: number): void {
		this.statusCode = status;
		this.writableEnded = true;
		if (!this.destroyed) this.emit('finish');
	}

	/** The sender does not wait any longer. */
	hangUp(): void {
		this.destroyed = true;
	}
}
