/** Limits on a customer's schema. */
export const MAX_SCHEMA_BYTES = 256 * 1024;
export const MAX_SCHEMA_DEPTH = 32;
export const MAX_REF_EXPANSIONS = 10_000;
export const MAX_UNIQUE_ITEMS = 1_000;
export const MAX_SCHEMA_ERRORS = 100;
