import { decodeBase64Strict } from '../kernel/base64.ts';
import type { JsonObject } from '../kernel/canonical-json.ts';
import { verifySignature, type SignatureResult, type VerifyingKey } from '../vault/signatures.ts';
import type { FailureClass } from './failure.ts';
import { placeOf, type KeyStatementRow } from './key-material.ts';
import { possessionBytes } from './key-possession.ts';
import { keyForUse, type KeyRing } from './key-ring.ts';
import type { Findings } from './report.ts';
import type { ParsedStatement } from './parsed-statement.ts';

/** Checks the signatures that a key statement carries, and reports what is wrong with them. */
export class KeyStatementSignatures {
  private readonly findings: Findings;

  constructor(findings: Findings) {
    this.findings = findings;
  }

  /** Whether a key of the ring signed the statement. */
  async isSigned(
    row: KeyStatementRow,
    signed: ParsedStatement,
    ring: KeyRing,
    at: string,
  ): Promise<boolean> {
    const { findings } = this;
    findings.looked('signatures');
    const known = ring.get(signed.header.kid);
    // Whether the signer is reached is judged where a key signs what this file is about, not at each older statement.
    const lenient = known ? new Map([[known.keyId, { ...known, reached: true }]]) : ring;
    const key = keyForUse(
      lenient,
      signed.header,
      { place: placeOf(row), area: 'keys', at, missing: 'CHAIN_SIGNATURE_MISSING_KEY' },
      findings,
    );
    return (
      key !== null &&
      this.holds(
        row,
        await verifySignature(key, signed.signature, signed.signed),
        'the signature is not one of its key over these bytes',
      )
    );
  }

  /** Whether the key that a statement activates took part in it. */
  async hasPossession(
    row: KeyStatementRow,
    predicate: JsonObject,
    key: VerifyingKey,
    coseKeyBytes: Uint8Array,
  ): Promise<boolean> {
    const possession = predicate['possession'];
    const signature = typeof possession === 'string' ? decodeBase64Strict(possession) : null;
    this.findings.looked('signatures');
    return this.holds(
      row,
      signature
        ? await verifySignature(key, signature, possessionBytes(key.keyId, coseKeyBytes))
        : 'invalid',
      'the new key does not show that it was there: its possession signature is missing or wrong',
    );
  }

  private holds(row: KeyStatementRow, result: SignatureResult, detail: string): boolean {
    if (result === 'invalid') this.fail('CHAIN_SIGNATURE_INVALID', row, detail);
    if (result === 'unsupported')
      this.fail(
        'CHAIN_UNSUPPORTED_ALGORITHM',
        row,
        'this runtime cannot check the algorithm of the key',
      );
    return result === 'valid';
  }

  private fail(failureClass: FailureClass, row: KeyStatementRow, detail: string): void {
    this.findings.fail('signatures', 'keys', failureClass, placeOf(row), detail);
  }
}
