/** No job and no reader asks for a lease as long as this, ms; one that ends later was written by another hand. */
export const MAX_LEASE_MS = 3_600_000;
