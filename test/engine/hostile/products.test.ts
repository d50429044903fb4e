import { tryFieldsOf } from './tryFields';

tryFieldsOf((resource) => resource === 'product');
