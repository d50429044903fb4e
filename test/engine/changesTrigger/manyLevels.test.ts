import { usePollingShop } from './pollingShop';

/** Two levels fewer than can be compared. */
const shop = usePollingShop({
	...{ products: 2_500, orders: 1, customers: 1 },
	...{ minuteBudget: 1_000_000, dayBudget: 10_000_000 },
});

it('a shop that grew past 10,000 levels is read again after an hour', async () => {
	const n8n = await shop.published({ watch: 'inventory' });
	const durable = await shop.published({ watch: 'inventory' }, { durable: true });
	await n8n.poll();
	await shop.setStock(7);
	await n8n.poll();
	expect(n8n.items).toMatchObject([{ quantity: 7 }]);
	for (let n = 0; n < 3; n++) await shop.newProduct();
	const requestsOfPoll = async (trigger = n8n) => {
		await shop.control.resetCounters();
		await expect(trigger.poll()).rejects.toThrow('leave more than 10,000 stock levels');
		return await shop.requests();
	};
	expect([await requestsOfPoll(), await requestsOfPoll(), await requestsOfPoll()]).toEqual([
		41, 0, 0,
	]);
	expect([await requestsOfPoll(durable), await requestsOfPoll(durable)]).toEqual([41, 0]);
	const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
	expect(await requestsOfPoll()).toBe(41);
	clock.mockRestore();
}, 60_000);
