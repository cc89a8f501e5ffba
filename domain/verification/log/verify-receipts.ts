import { CborError } from '../../kernel/deterministic-cbor.ts';
import { readReceipt, verifyInclusion, type Receipt } from '../../transparency/receipt.ts';
import { statementLog } from '../../transparency/statement-log.port.ts';
import { issuerOf } from '../../vault/chain.ts';
import { keyIdOf } from '../../vault/cose-key.ts';
import type { HubClaim } from '../entry/chain-entry.ts';
import type { FailureClass } from '../report/failure.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { Findings } from '../report/report.ts';
import type { Trust } from '../keys/trust.ts';

/** A structure as its leaf holds it, with the receipts that stood in its unprotected header. */
export interface ReceiptedStructure {
  readonly coseSign1: Uint8Array;
  /** Null where it has none; empty where label 394 holds something else. */
  readonly receipts: readonly Uint8Array[] | null;
  readonly position: number;
}

/** Whose log it is, and the keys that its receipts are verified with. */
export interface LogClaim {
  readonly chainKey: string;
  /** As the entries seal it; null where they seal none. */
  readonly orgId: string | null;
  readonly hub: HubClaim | null;
  readonly ring: KeyRing;
  readonly trust: Trust;
}

/**
 * Verifies the receipts of entries: each leads from its entry to a root of the log of their org, which the hub signed
 * (RFC 9942). Receipts of other services are left to whoever trusts those.
 *
 * @returns the positions of which a key that is not retired says that they stood in the log.
 */
export const verifyReceipts = async (
  structures: readonly ReceiptedStructure[],
  log: LogClaim,
  findings: Findings,
): Promise<ReadonlySet<number>> => {
  const { own, proven } = await checkReceipts(structures, log, findings);
  const without = structures.filter(({ position }) => !own.has(position));
  if (without.length > 0 && without.length < structures.length)
    findings.cannotTell(
      'receipts',
      `cannot tell: ${without.length} of ${structures.length} entries have no receipt of this hub, the first at position ${without[0]!.position}; fetch the file again`,
    );
  return proven;
};

export interface FoundReceipts {
  /** Positions with a receipt that is not of another service. */
  readonly own: ReadonlySet<number>;
  /** Positions of which a key that is not retired says that they stood in the log. */
  readonly proven: ReadonlySet<number>;
  /** How many receipts are of another service. */
  readonly foreign: number;
}

/** The same, where an entry may be without. */
export const checkReceipts = async (
  structures: readonly ReceiptedStructure[],
  log: LogClaim,
  findings: Findings,
): Promise<FoundReceipts> => {
  const checks = new ReceiptChecks(log, findings);
  for (const structure of structures) await checks.look(structure);
  return checks;
};

class ReceiptChecks implements FoundReceipts {
  readonly own = new Set<number>();
  readonly proven = new Set<number>();
  foreign = 0;

  constructor(
    private readonly log: LogClaim,
    private readonly findings: Findings,
  ) {}

  async look(structure: ReceiptedStructure): Promise<void> {
    const { receipts, position } = structure;
    if (receipts === null) return;
    this.findings.looked('receipts', Math.max(receipts.length, 1));
    if (receipts.length === 0) {
      this.own.add(position);
      this.fail(position, 'CHECKPOINT_ROOT_MISMATCH', 'label 394 holds no receipts');
    }
    for (const bytes of receipts) {
      const receipt = this.read(bytes, position);
      if (receipt && this.isForeign(receipt)) continue;
      this.own.add(position);
      if (receipt && (await this.proves(receipt, bytes, structure))) this.proven.add(position);
    }
  }

  private isForeign({ iss }: Receipt): boolean {
    const { hub } = this.log;
    if (hub && iss === issuerOf(hub.hubId)) return false;
    this.foreign++;
    this.findings.unsettle('receipts');
    this.findings.note(
      `receipts of another service, ${iss ?? 'which names itself nowhere'}, were not looked at`,
    );
    return true;
  }

  /** Whether the receipt holds, and its key is not retired. */
  private async proves(
    receipt: Receipt,
    bytes: Uint8Array,
    { coseSign1, position }: ReceiptedStructure,
  ): Promise<boolean> {
    const { ring, orgId } = this.log;
    if (orgId === null || receipt.sub !== statementLog(orgId)) {
      const said = receipt.sub ?? 'none';
      this.fail(
        position,
        'CHECKPOINT_ROOT_MISMATCH',
        `the receipt is of the log ${said}, and not of that of the org`,
      );
      return false;
    }
    const keyId = new TextDecoder().decode(receipt.kid);
    const key = ring.get(keyId)?.verifying;
    if (!key) {
      this.findings.cannotTell(
        'receipts',
        `cannot tell: a receipt was signed with the key ${keyId.slice(0, 80)}, which is none of those that are trusted here`,
      );
      return false;
    }
    switch (await verifyInclusion(bytes, coseSign1, key)) {
      case 'valid':
        return !this.isRetired(keyId);
      case 'unsupported':
        this.findings.cannotTell(
          'receipts',
          'cannot tell: a receipt of this service is of a form that this verifier does not know; a newer one may',
          'other_format',
        );
        return false;
      case 'invalid':
        this.fail(
          position,
          'CHECKPOINT_SIGNATURE_INVALID',
          'the receipt does not hold: the root that its proof leads to from this entry is not the one that was signed',
        );
        return false;
    }
  }

  private read(bytes: Uint8Array, position: number): Receipt | null {
    try {
      return readReceipt(bytes);
    } catch (error) {
      if (!(error instanceof CborError)) throw error;
      this.fail(
        position,
        'CHECKPOINT_ROOT_MISMATCH',
        `the receipt cannot be read: ${error.message}`,
      );
      return null;
    }
  }

  /** Nothing can cover a receipt; whoever has a retired key by now may have signed it. */
  private isRetired(keyId: string): boolean {
    const { trust, ring } = this.log;
    const key = trust.keys.find((candidate) => keyIdOf(candidate) === keyId);
    // A listing knows more than a file that may be older, and the other way round.
    const known = (key && trust.retirementOf(key)) ?? ring.get(keyId)?.retirement;
    if (!known) return false;
    if (known.reason === 'scheduled')
      this.findings.note(
        `receipts were signed by the key ${keyId}, which was retired on schedule; one that is fetched again is signed by the key of now`,
      );
    else
      this.findings.cannotTell(
        'receipts',
        `cannot tell: receipts were signed by the key ${keyId}, which ${known.reason === 'compromised' ? 'was retired as compromised' : 'is retired, and the listing does not say why'}; fetch the file again`,
        known.reason === 'compromised' ? 'compromised_key' : 'receipts',
      );
    return true;
  }

  private fail(position: number, failureClass: FailureClass, detail: string): void {
    const { chainKey } = this.log;
    this.findings.fail('receipts', 'chain', failureClass, { chainKey, position }, detail);
  }
}
