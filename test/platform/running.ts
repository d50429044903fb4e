import { CatalogImports } from './jobs/catalogImport';
import { DeliveryFaults } from './faults/deliveryFaults';
import { Dispatcher } from './deliveries/dispatcher';
import { Endpoints } from './deliveries/endpoints';
import { IdempotencyMemory } from './api/idempotency';
import { Journal } from './api/journal';
import { Keys } from './api/keys';
import { PageMaker } from './api/page';
import { RateLimiter } from './api/rateLimit';
import { RequestFaults } from './faults/requestFaults';
import { changeSettings, withoutUndefined, type Settings, type SettingsChange } from './settings';
import { Clock } from './shop/clock';
import { DEFAULT_SIZE, Shop } from './shop/shop';
import type { FaultRule } from './faults/types';
import type { ShopSize } from './options';
import type { World } from './api/call';

/** Everything that a running platform consists of, but for its two servers. */
export class Running {
	readonly keys = new Keys();
	readonly journal = new Journal();
	readonly limiter = new RateLimiter();
	readonly memory = new IdempotencyMemory();
	readonly requestFaults = new RequestFaults();
	private readonly deliveryFaults = new DeliveryFaults();
	/** The rules as they were set. */
	faults: readonly FaultRule[] = [];
	private current: World;

	constructor(
		private readonly startedWith: Settings,
		private readonly size: ShopSize,
	) {
		this.current = this.newWorld(size);
	}

	get world(): World {
		return this.current;
	}

	/** @throws RangeError for windows that are not whole seconds. */
	configure(change: SettingsChange): void {
		this.current.settings = changeSettings(this.current.settings, change);
		if (change.retryDelayFactor !== undefined) this.current.dispatcher.replan();
	}

	/** @throws RangeError for a rule that could never match. */
	setFaults(faults: readonly FaultRule[]): void {
		this.requestFaults.set(faults.filter((rule) => !isDeliveryFault(rule)));
		this.deliveryFaults.set(faults.filter(isDeliveryFault));
		this.faults = faults;
	}

	/** Back to the start, or to a shop of another size. Keys and ports stay. */
	reset(size: ShopSize = {}): void {
		this.close();
		this.current = this.newWorld({ ...withoutUndefined(this.size), ...withoutUndefined(size) });
		this.setFaults([]);
		this.limiter.reset();
		this.memory.clear();
		this.journal.reset();
	}

	close(): void {
		this.current.dispatcher.close();
		this.current.imports.reset();
	}

	private newWorld(changed: ShopSize): World {
		const size = { ...DEFAULT_SIZE, ...withoutUndefined(changed) } as Required<ShopSize>;
		const settings = { current: this.startedWith };
		const clock = new Clock(() => settings.current.clockOffsetMs);
		const shop: Shop = new Shop(size, (event) => dispatcher.publish(event), clock);
		const endpoints = new Endpoints(() => clock.now());
		const dispatcher: Dispatcher = new Dispatcher(
			endpoints,
			this.deliveryFaults,
			() => settings.current,
		);
		return {
			shop,
			endpoints,
			dispatcher,
			imports: new CatalogImports(() => settings.current),
			pages: new PageMaker(() => settings.current.dialect),
			get settings() {
				return settings.current;
			},
			set settings(changed) {
				settings.current = changed;
			},
		};
	}
}

type DeliveryRule = Extract<FaultRule, { fault: 'duplicateDelivery' | 'reorderDelivery' }>;

const isDeliveryFault = (rule: FaultRule): rule is DeliveryRule =>
	rule.fault === 'duplicateDelivery' || rule.fault === 'reorderDelivery';
