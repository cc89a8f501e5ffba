import { ALGORITHMS } from '../../../domain/vault/algorithm.ts';
import type { KeyStatement, VaultKey } from '../../../domain/vault/key-statement.ts';
import { VerifyingKeys } from '../../../domain/vault/signatures.ts';
import { compareKeyRows } from '../../../domain/verification/platform/compare-key-rows.ts';
import type { KeyRow } from '../../../domain/verification/keys/key-material.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import {
  verifyKeyStatements,
  type KeyOutcome,
} from '../../../domain/verification/platform/verify-keys.ts';
import type { ChainFaults } from './scan-faults.ts';
import type { ScanSnapshot } from './scan-snapshot.port.ts';

export interface ScannedKeys {
  readonly outcome: KeyOutcome;
  readonly statements: readonly KeyStatement[];
}

/**
 * The succession of the keys as the key statements say it, with the rows of the keys and of the hub compared.
 *
 * @param fingerprint of a key that is trusted, which has to be one of them.
 */
export const scanKeys = async (
  snapshot: ScanSnapshot,
  fingerprint: string,
  faults: ChainFaults,
): Promise<ScannedKeys> => {
  const statements = await snapshot.statements();
  const outcome = await verifyKeyStatements(
    statements.map((statement) => ({ ...statement, position: statement.chainPosition })),
    {
      trust: trustOf({ kind: 'fingerprint', sha256Hex: fingerprint }),
      embedded: false,
      keys: new VerifyingKeys(),
      findings: faults,
    },
  );
  const keys = [...outcome.ring.values()];
  if (!keys.some(({ reached }) => reached))
    faults.fault(
      'CHAIN_SIGNATURE_MISSING_KEY',
      null,
      'the key that this process signs with is none of the succession on the platform chain',
    );
  compareKeyRows((await snapshot.keys()).map(keyRow), outcome.ring, faults);
  const hub = await snapshot.hub();
  for (const member of ['hubId', 'predicateBase'] as const)
    if (hub?.[member] !== outcome.hub?.[member])
      faults.drift(`instance: ${member} is not that of position 1 of the platform chain`);
  return { outcome, statements };
};

const keyRow = (key: VaultKey): KeyRow => ({
  ...key,
  algorithm: key.algorithm,
  coseAlgorithm: key.algorithm in ALGORITHMS ? ALGORITHMS[key.algorithm].cose : 0,
});
