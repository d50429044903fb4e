import { FAULTS } from '../../../lab/simulate/faults';
import { hunt } from '../../../lab/simulate/hunt';
import { Sources } from '../../../lab/simulate/sources';

describe('the trigger between a simulated n8n and a simulated platform', () => {
	it('keeps its promises in 40 schedules', async () => {
		const { broken, schedules } = await hunt(new Sources(), 1, 40);
		expect(broken?.story.join('\n')).toBeUndefined();
		expect(schedules).toBe(40);
	});

	it.each(Object.keys(FAULTS))('can have the fault: %s', (fault) => {
		expect(() => new Sources(FAULTS[fault])).not.toThrow();
	});

	it('is caught if it breaks one', async () => {
		const fault = FAULTS['a duplicate is executed while the first is pending'];
		const { broken } = await hunt(new Sources(fault), 1, 300);
		expect(broken?.violation).toContain('is executed again after');
	});
});
