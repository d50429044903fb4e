import { call } from './control.js';
import { el, keyed } from './dom.js';

/** Where the API is and how its plan is called. The whole key stands in the terminal only. */
export async function showFacts(place) {
	const { baseUrl, settings } = await call('platform');
	const facts = [
		['API address', baseUrl],
		['Plan', settings.plan],
	];
	if (place.firstElementChild === null) place.append(el('dl'));
	keyed(
		place.firstElementChild,
		facts,
		([name]) => name,
		([name, value]) => el('div', el('dt', name), el('dd', value)),
	);
}
