import type { DatabaseKind } from '../../support/databases.ts';
import { chainStoreSuite } from './chain-store.suite.ts';
import { failuresSuite } from './failures.suite.ts';
import { identityStoresSuite } from './identity-stores.suite.ts';
import { jobLeasesSuite } from './job-leases.suite.ts';
import { migrationsSuite } from './migrations.suite.ts';
import { outboxAndIdempotencySuite } from './outbox-and-idempotency.suite.ts';
import { performanceSuite } from './performance.suite.ts';
import { plansSuite } from './plans.suite.ts';
import { recordListingSuite } from './record-listing.suite.ts';
import { recordStoresSuite } from './record-stores.suite.ts';
import { referencesSuite } from './references.suite.ts';
import { recordTypeStoreSuite } from './record-type-store.suite.ts';
import { unitOfWorkSuite } from './unit-of-work.suite.ts';
import { vaultStoresSuite } from './vault-stores.suite.ts';

/** Everything that a database has to promise. */
export const everySuite = (kind: DatabaseKind): void => {
  migrationsSuite(kind);
  unitOfWorkSuite(kind);
  failuresSuite(kind);
  chainStoreSuite(kind);
  recordStoresSuite(kind);
  recordListingSuite(kind);
  performanceSuite(kind);
  plansSuite(kind);
  referencesSuite(kind);
  recordTypeStoreSuite(kind);
  identityStoresSuite(kind);
  vaultStoresSuite(kind);
  outboxAndIdempotencySuite(kind);
  jobLeasesSuite(kind);
};
