/** Everything for a test that runs an operation in n8n's own engine against stubbed answers. */
export { API_KEY, BASE_URL, ORIGIN } from '../testShop';
export { byId, byMode } from '../parameters';
export { runOperation, failureOf, type Failure, type NodeResult, type NodeRun } from './runNode';
export { withFastClock } from './fastClock';
export {
	onlyPage,
	stubApi,
	withLeastWaits,
	writesIn,
	type StubAnswer,
	type StubRequest,
} from './stubApi';
