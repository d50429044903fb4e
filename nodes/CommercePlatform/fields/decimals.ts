import type { INodeProperties } from 'n8n-workflow';

import { addDecimalAmounts, decimalAmounts } from '../../shared/fields/decimalAmounts';

/** How amounts come out, for the Options of whatever gives amounts. */
export const decimalOptions: INodeProperties[] = [decimalAmounts, addDecimalAmounts];
