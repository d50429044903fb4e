/** The former place of `checkRequest`. */
export { checkRequest } from './httpOptions';
