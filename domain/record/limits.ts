/** Limit for the children of one record: a statement of 64 KiB can list them all, with room to spare. */
export const MAX_CHILDREN = 256;

/** Limit for the counter-proposals on one record. */
export const MAX_ROUNDS = 10;
/** After so many refused steps a mirror takes none. */
export const MAX_REFUSED_STEPS = 32;
