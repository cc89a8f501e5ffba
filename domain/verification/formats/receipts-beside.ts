import { CborError } from '../../kernel/deterministic-cbor.ts';
import { sha256Hex } from '../../kernel/digest.ts';
import type { ChainRow } from '../entry/chain-entry.ts';
import { sequenceItems } from '../read/read-cose-sequence.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { Findings } from '../report/report.ts';
import { checkReceipts, type LogClaim } from '../log/verify-receipts.ts';
import { typOf } from '../../vault/cose-sign1.ts';
import {
  parseStatement,
  UnreadableError,
  type ParsedStatement,
} from '../../vault/parsed-statement.ts';
import { verifySignature } from '../../vault/signatures.ts';
import type { FailureClass } from '../report/failure.ts';

/**
 * The receipts beside an export: attestations of its records hold them, each with its entry. An entry without a receipt is no
 * fault, because it may not have stood in the log of its org yet. A receipt whose entry the export does not have is a fault:
 * the entry was changed, or the service signed two for one position. It is none if the entry is newer than the export.
 */
export class ReceiptsBeside {
  private readonly byHash = new Map<string, readonly Uint8Array[]>();
  /** The structures that are no entry of the export, as far as it was read, by hash. */
  private readonly strange = new Map<string, Uint8Array>();
  /** By chain of the export, the position of its last entry. */
  private readonly heads = new Map<string, number>();
  private ring: KeyRing = new Map();
  private readonly faults: string[] = [];
  private entries = 0;
  private proven = 0;
  private without = 0;

  /** @param attestations each a CBOR sequence of COSE_Sign1. */
  constructor(attestations: readonly Uint8Array[]) {
    for (const attestation of attestations)
      try {
        for (const { coseSign1, receipts } of sequenceItems(attestation)) {
          const hash = sha256Hex(coseSign1);
          this.strange.set(hash, coseSign1);
          if (receipts) this.byHash.set(hash, receipts);
        }
      } catch (error) {
        if (!(error instanceof CborError)) throw error;
        this.faults.push(error.message);
      }
  }

  /** Verifies those of the entries of one chain. */
  async verify(
    rows: readonly (ChainRow | null)[],
    log: LogClaim,
    findings: Findings,
  ): Promise<void> {
    const structures = rows
      .filter((row) => row !== null)
      .map(({ coseSign1, position }) => {
        const hash = sha256Hex(coseSign1);
        this.strange.delete(hash);
        return { coseSign1, position, receipts: this.byHash.get(hash) ?? null };
      });
    this.ring = log.ring;
    this.heads.set(log.chainKey, structures.at(-1)?.position ?? 0);
    const { own, proven, foreign } = await checkReceipts(structures, log, findings);
    if (foreign > 0)
      findings.cannotTell(
        'receipts',
        `cannot tell: ${foreign} receipts beside the export are of another service, and the service writes only its own there; the file was changed, or fetch it again`,
      );
    this.entries += structures.length;
    this.proven += proven.size;
    this.without += structures.filter(({ position }) => !own.has(position)).length;
  }

  /** Says what all of them show together. */
  async tell(findings: Findings): Promise<void> {
    const { entries, proven, without, faults } = this;
    if (this.heads.size > 0)
      for (const coseSign1 of this.strange.values()) await this.judgeStrange(coseSign1, findings);
    for (const fault of faults)
      findings.fail(
        'receipts',
        'document',
        'CHAIN_COSE_DECODE_FAILED',
        { chainKey: null, position: null },
        `the receipts beside the export cannot be read: ${fault}`,
      );
    if (proven > 0)
      findings.note(
        `${proven} of ${entries} entries have a receipt that holds: they stand in the log of their org, to which statements are only ever added, and the service signed its root`,
      );
    if (without === 0) return;
    findings.unsettle('receipts');
    findings.note(
      `${without} of ${entries} entries have no receipt in this file: they did not stand in the log of their org yet when it was made, or the service gave none`,
    );
  }

  private async judgeStrange(coseSign1: Uint8Array, findings: Findings): Promise<void> {
    const fail = (failureClass: FailureClass, detail: string): void =>
      findings.fail('receipts', 'chain', failureClass, { chainKey, position }, detail);
    const signed = read(coseSign1);
    const { chainKey = null, position = null } = signed?.header.chain ?? {};
    if (!signed)
      return fail(
        'CHAIN_COSE_DECODE_FAILED',
        'a structure beside the export is no signed statement, so it was changed',
      );
    const key = this.ring.get(signed.header.kid)?.verifying;
    if (!key)
      return findings.cannotTell(
        'receipts',
        `cannot tell: a structure beside the export names the key ${signed.header.kid.slice(0, 80)}, which is none of the export`,
      );
    if ((await verifySignature(key, signed.signature, signed.signed)) === 'invalid')
      return fail(
        'CHAIN_SIGNATURE_INVALID',
        'a structure beside the export does not fit its signature, so it was changed',
      );
    if (signed.header.typ === typOf('checkpoint')) return;
    const head = chainKey === null ? undefined : this.heads.get(chainKey);
    if (head === undefined || position === null)
      return findings.cannotTell(
        'receipts',
        'cannot tell: the receipts beside the export are those of another record; fetch the file again',
      );
    if (position <= head)
      return fail(
        'CHAIN_HASH_MISMATCH',
        'the entry beside the export is another one than the export holds at this position; it was changed, or both were signed',
      );
    findings.note('the receipts beside the export are newer than the export');
  }
}

const read = (coseSign1: Uint8Array): ParsedStatement | null => {
  try {
    return parseStatement(coseSign1);
  } catch (error) {
    if (error instanceof UnreadableError) return null;
    throw error;
  }
};
