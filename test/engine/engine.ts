export { credentialsHelper } from '../support/engine/credentialsHelper';
export { runNode, type NodeResult, type NodeRun } from '../support/engine/runNode';
export { API_KEY as TEST_API_KEY, BASE_URL as TEST_BASE_URL } from '../support/testShop';
