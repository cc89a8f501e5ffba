import { printable } from '../../../domain/kernel/printable.ts';
import { chainKindOf } from '../../../domain/vault/chain-key.ts';
import { Findings, type FoundParts } from '../../../domain/verification/report/report.ts';
import {
  MAX_FAULTS,
  MAX_FAULTS_OF_CHAIN,
  REASON_OF,
  type ScanFault,
  type ScanResult,
} from '../../ports/scan-result.ts';

type FailureClass = ScanFault['class'];

/** Collects what a scan finds, of a bounded length, with what it counts. */
export class ScanFaults {
  healthy = 0;
  broken = 0;
  signatureErrors = 0;
  private readonly listed: ScanFault[] = [];
  private total = 0;
  private readonly missing = new Set<string>();

  /** The faults of one chain, which end as one healthy or broken chain. */
  ofChain(chainKey: string): ChainFaults {
    return new ChainFaults(chainKey, this);
  }

  /** Something names a chain that is not there; it counts once, whatever names it. */
  gone(chainKey: string, failureClass: FailureClass, detail: string): void {
    if (!this.missing.has(chainKey)) this.broken++;
    this.missing.add(chainKey);
    this.add({ chainKey, position: null, class: failureClass, detail }, true);
  }

  add(fault: Omit<ScanFault, 'recordId' | 'reason'>, isListed: boolean): void {
    this.total++;
    if (!isListed || this.listed.length >= MAX_FAULTS) return;
    const { chainKey, position, detail } = fault;
    this.listed.push({
      recordId: chainKindOf(chainKey) === 'record' ? chainKey : null,
      chainKey: printable(chainKey),
      position,
      reason: REASON_OF[fault.class],
      class: fault.class,
      detail: printable(detail),
    });
  }

  get result(): Pick<
    ScanResult,
    'healthy' | 'broken' | 'signatureErrors' | 'brokenRecords' | 'omitted'
  > {
    const { healthy, broken, signatureErrors, listed, total } = this;
    return {
      healthy,
      broken,
      signatureErrors,
      brokenRecords: listed,
      omitted: total - listed.length,
    };
  }
}

/** Takes what the verifier reports of a chain, and what a comparison with its rows finds. */
export class ChainFaults extends Findings {
  private count = 0;
  private isClosed = false;
  private readonly unverified = new Set<number>();

  constructor(
    private readonly chainKey: string,
    private readonly faults: ScanFaults,
  ) {
    super();
  }

  override fail(...given: Parameters<Findings['fail']>): void {
    const [, , failureClass, place, detail] = given;
    if (place.chainKey !== null && place.chainKey !== this.chainKey)
      return this.fault(failureClass, null, `the checkpoint of ${place.chainKey}: ${detail}`);
    if (UNVERIFIED.has(failureClass) && place.position !== null)
      this.unverified.add(place.position);
    this.fault(failureClass, place.position, detail);
  }

  /** Takes over what was found in a part of the log of checkpoints. */
  override add({ found }: FoundParts): void {
    for (const { failure } of found)
      this.fail('checkpoints', 'checkpoints', failure.class, failure, failure.detail);
  }

  /** A row does not say what the chain says. */
  drift(detail: string, position: number | null = null): void {
    this.fault('CHAIN_PAYLOAD_BINDING_MISMATCH', position, detail);
  }

  fault(failureClass: FailureClass, position: number | null, detail: string): void {
    this.count++;
    // A chain that is counted already was healthy until now.
    if (this.isClosed && this.count === 1) {
      this.faults.healthy--;
      this.faults.broken++;
    }
    this.faults.add(
      { chainKey: this.chainKey, position, class: failureClass, detail },
      this.count <= MAX_FAULTS_OF_CHAIN,
    );
  }

  /** Counts the chain. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.faults.signatureErrors += this.unverified.size;
    if (this.count > 0) this.faults.broken++;
    else this.faults.healthy++;
  }
}

const UNVERIFIED: ReadonlySet<FailureClass> = new Set([
  'CHAIN_SIGNATURE_INVALID',
  'CHAIN_SIGNATURE_MISSING_KEY',
  'CHAIN_UNSUPPORTED_ALGORITHM',
  'CHAIN_ALG_MISMATCH',
  'TENANT_READ_SIGNATURE_INVALID',
]);
