/** No job and no reader asks for a lease as long as this, ms; one that ends later was written by another hand. */
export const MAX_LEASE_MS = 3_600_000;
/** The same of the leases under which deliveries and messages to peers leave, ms. Their holders renew them every few seconds. */
export const MAX_DELIVERY_LEASE_MS = 120_000;
