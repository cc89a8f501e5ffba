import { CborError } from '../kernel/deterministic-cbor.ts';
import { sha256Hex } from '../kernel/digest.ts';
import type { ChainRow } from './chain-entry.ts';
import { sequenceItems } from './read-cose-sequence.ts';
import type { Findings } from './report.ts';
import { checkReceipts, type LogClaim } from './verify-receipts.ts';

/**
 * Receipts that stand beside an export: attestations of its records hold them, each with the entry that it is of. An entry
 * without one is no fault: it may not have stood in the log of its org yet.
 */
export class ReceiptsBeside {
  private readonly byHash = new Map<string, readonly Uint8Array[]>();
  private readonly faults: string[] = [];
  private entries = 0;
  private proven = 0;
  private without = 0;

  /** @param attestations each a CBOR sequence of COSE_Sign1. */
  constructor(attestations: readonly Uint8Array[]) {
    for (const attestation of attestations)
      try {
        for (const { coseSign1, receipts } of sequenceItems(attestation))
          if (receipts) this.byHash.set(sha256Hex(coseSign1), receipts);
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
      .map(({ coseSign1, position }) => ({
        coseSign1,
        position,
        receipts: this.byHash.get(sha256Hex(coseSign1)) ?? null,
      }));
    const { own, proven } = await checkReceipts(structures, log, findings);
    this.entries += structures.length;
    this.proven += proven.size;
    this.without += structures.filter(({ position }) => !own.has(position)).length;
  }

  /** Says what all of them show together. */
  tell(findings: Findings): void {
    const { entries, proven, without, faults } = this;
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
}
