import { CatalogImports } from './jobs/catalogImport';
import { Dispatcher } from './deliveries/dispatcher';
import { Endpoints } from './deliveries/endpoints';
import { Journal } from './api/journal';
import { Keys } from './api/keys';
import { PageMaker } from './api/page';
import { RateLimiter } from './api/rateLimit';
import { Faults } from './faults/faults';
import { changeSettings, withoutUndefined, type Settings, type SettingsChange } from './settings';
import { Clock } from './shop/clock';
import { DEFAULT_SIZE, Shop } from './shop/shop';
import type { AppliedWrites } from './api/idempotency';
import type { ShopSize } from './options';
import type { World } from './api/call';

/** Everything that a running platform consists of, except its two servers. */
export class Running {
	readonly keys = new Keys();
	readonly journal = new Journal();
	readonly limiter = new RateLimiter();
	readonly writes: AppliedWrites = new Map();
	readonly faults = new Faults();
	world: World;

	constructor(
		private readonly startedWith: Settings,
		private readonly size: ShopSize,
	) {
		this.world = this.newWorld(size);
	}

	/** @throws RangeError for windows that are not whole seconds. */
	configure(change: SettingsChange): void {
		this.world.settings = changeSettings(this.world.settings, change);
		if (change.retryDelayFactor !== undefined) this.world.dispatcher.replan();
	}

	/** Sets everything back to the start, or to a shop of another size. Keys and ports stay. */
	reset(size: ShopSize = {}): void {
		this.close();
		this.world = this.newWorld({ ...withoutUndefined(this.size), ...withoutUndefined(size) });
		this.faults.set([]);
		this.limiter.reset();
		this.writes.clear();
		this.journal.reset();
	}

	close(): void {
		this.world.dispatcher.close();
		this.world.imports.jobs.clear();
	}

	private newWorld(wantedSize: ShopSize): World {
		const size = { ...DEFAULT_SIZE, ...withoutUndefined(wantedSize) } as Required<ShopSize>;
		const world = { settings: this.startedWith } as World;
		const settings = () => world.settings;
		const clock = new Clock(() => settings().clockOffsetMs);
		const shop = new Shop(size, (event) => world.dispatcher.publish(event), clock);
		const endpoints = new Endpoints(shop);
		return Object.assign(world, {
			shop,
			endpoints,
			dispatcher: new Dispatcher(endpoints, this.faults, settings),
			imports: new CatalogImports(),
			pages: new PageMaker(() => settings().dialect),
		});
	}
}
