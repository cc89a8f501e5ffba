import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Where each port's promises are tested, on every adapter of it. */
const SUITES: Readonly<Record<string, string>> = {
  'application/change-notice.port.ts': 'test/contract/cache.test.ts',
  'application/egress/egress-client.port.ts': 'test/unit/egress/https-egress-client.test.ts',
  'application/idempotency/idempotency-store.port.ts':
    'test/contract/sql/outbox-and-idempotency.suite.ts',
  'application/identity/token-signatures.port.ts': 'test/unit/identity/key-sets.test.ts',
  'application/limits/rate-limiter.port.ts': 'test/unit/limits/sliding-window.test.ts',
  'application/log.port.ts': 'test/unit/system/system.test.ts',
  'application/operations/job-leases.port.ts': 'test/contract/sql/job-leases.suite.ts',
  'application/unit-of-work.port.ts': 'test/contract/sql/unit-of-work.suite.ts',
  'application/vault/crypto-capabilities.port.ts': 'test/api/without-ed25519.test.ts',
  'domain/event/event-log.port.ts': 'test/contract/sql/identity-stores.suite.ts',
  'domain/event/outbox.port.ts': 'test/contract/sql/outbox-and-idempotency.suite.ts',
  'domain/identity/certificate-store.port.ts': 'test/contract/sql/certificates.suite.ts',
  'domain/identity/identity-store.port.ts': 'test/contract/sql/identity-stores.suite.ts',
  'domain/kernel/clock.port.ts': 'test/unit/system/system.test.ts',
  'domain/record-type/gate-evaluator.port.ts': 'test/contract/gate-evaluator.test.ts',
  'domain/record-type/record-type-store.port.ts': 'test/contract/sql/record-type-store.suite.ts',
  'domain/record-type/schema-validator.port.ts': 'test/contract/schema-validator.test.ts',
  'domain/record/dispute-store.port.ts': 'test/contract/sql/disputes.suite.ts',
  'domain/record/record-store.port.ts': 'test/contract/sql/record-stores.suite.ts',
  'domain/reputation/performance-reads.port.ts': 'test/contract/sql/performance.suite.ts',
  'domain/vault/chain-store.port.ts': 'test/contract/sql/chain-store.suite.ts',
  'domain/vault/key-source.port.ts': 'test/contract/signer.test.ts',
  'domain/vault/sealed-key-store.port.ts': 'test/contract/sql/vault-stores.suite.ts',
  'domain/vault/signer.port.ts': 'test/contract/signer.test.ts',
  'domain/vault/vault-store.port.ts': 'test/contract/sql/vault-stores.suite.ts',
};

const ports = ['domain', 'application'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.port.ts'))
    .map((file) => `${room}/${file}`),
);

describe('every port', () => {
  it('stands in the table, and nothing else does', () => {
    expect(ports.sort()).toEqual(Object.keys(SUITES).sort());
  });

  it.each(Object.entries(SUITES))('%s has its suite', (_port, suite) => {
    expect(existsSync(suite)).toBe(true);
  });
});
