import type { Resource } from '../../shared/declarative/operation';
import { account } from './account';
import { order } from './order';
import { product } from './product';

/** Every resource of the node, in the order of the Resource list. */
export const resources: Resource[] = [account, order, product];
