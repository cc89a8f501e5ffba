import { bytesEqual } from '../../kernel/digest.ts';
import { ALGORITHMS } from '../../vault/algorithm.ts';
import { PLATFORM_CHAIN } from '../../vault/chain-key.ts';
import { spkiOf } from '../../vault/cose-key.ts';
import type { FailureClass } from '../report/failure.ts';
import type { KeyRow } from '../keys/key-material.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { Findings } from '../report/report.ts';

/** Compares the key listing with what the statements say. */
export const compareKeyRows = (
  rows: readonly KeyRow[],
  ring: KeyRing,
  findings: Findings,
): void => {
  const listed = new Set<string>();
  const fail = (failureClass: FailureClass, detail: string): void =>
    findings.fail(
      'keySuccession',
      'keys',
      failureClass,
      { chainKey: PLATFORM_CHAIN, position: null },
      detail,
    );
  for (const row of rows) {
    findings.looked('keySuccession');
    if (listed.has(row.keyId))
      fail('CHAIN_SIGNING_KEY_DRIFT', `the key ${row.keyId} is listed twice`);
    listed.add(row.keyId);
    const key = ring.get(row.keyId);
    if (!key) {
      fail(
        'CHAIN_SIGNATURE_MISSING_KEY',
        `the key ${row.keyId} is listed, but no valid statement activates it`,
      );
      continue;
    }
    if (
      key.verifying &&
      !(
        bytesEqual(row.publicKey, spkiOf(key.verifying.key)) &&
        bytesEqual(row.publicKeyRaw ?? key.verifying.key.raw, key.verifying.key.raw)
      )
    )
      fail('CHAIN_SIGNING_KEY_DRIFT', `another public key is listed under the id ${row.keyId}`);
    if (
      row.coseAlgorithm !== key.alg ||
      (key.verifying && row.algorithm !== ALGORITHMS[key.verifying.key.algorithm].name)
    )
      fail(
        'CHAIN_ALG_MISMATCH',
        `the key ${row.keyId} is listed with another algorithm than its statement names`,
      );
    const status = key.retiredAt === null ? 'active' : 'retired';
    if (
      row.status !== status ||
      row.activatedAt !== key.activatedAt ||
      row.retiredAt !== key.retiredAt
    )
      fail(
        'CHAIN_KEY_POLICY_VIOLATION',
        `status or times of the key ${row.keyId} are not those of its statements`,
      );
  }
  for (const keyId of ring.keys())
    if (!listed.has(keyId))
      fail('CHAIN_SIGNATURE_MISSING_KEY', `the key ${keyId} was activated, but is not listed`);
};
