/** millimetres in a metre, and thousandths of anything else */
export const MILLI = 1000;
