import { MISTAKES } from './mistakes';
import { useShop } from './shop';

const { shop } = useShop('once');

describe.each([
	['its own engine', false],
	['n8n’s RoutingNode', true],
])('by %s', (_way, routingNode) => {
	it.each(MISTAKES)(
		'%s refuses %s, names the field and sends nothing',
		async (operation, _what, parameters, names) => {
			await shop.control.resetCounters();
			const { error, items } = await shop.run(operation, parameters, { routingNode });
			expect(error?.message).toContain(names);
			expect(items).toEqual([]);
			expect((await shop.control.counters()).total).toBe(0);
		},
	);
});
