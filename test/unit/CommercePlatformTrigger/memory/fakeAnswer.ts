import { EventEmitter } from 'node:events';

import type { OutgoingAnswer } from '../../../../nodes/CommercePlatformTrigger/memory/saveRota';

/** The part of an Express response that memory looks at. */
export class FakeAnswer extends EventEmitter implements OutgoingAnswer {
	statusCode = 200;
	headersSent = false;

	/** The answer goes out whole. */
	send(status: number): void {
		this.hangUpAfter(status);
		this.emit('finish');
	}

	/** n8n answers, but the sender is gone: no `finish` comes. */
	hangUpAfter(status: number): void {
		this.statusCode = status;
		this.headersSent = true;
	}
}
