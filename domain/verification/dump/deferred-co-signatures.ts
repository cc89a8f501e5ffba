import type { CoSignature } from '../../identity/co-signature.ts';
import { isObject, type JsonObject } from '../../kernel/canonical-json.ts';
import type { CoSignatureLedger } from '../co-signature/co-signature-ledger.ts';
import type { Area, Findings } from '../report/report.ts';

/** A co-signature with what the ledger asks for of its entry; or a certificate that was issued. Plain data. */
export type CoSignatureUse =
  | {
      readonly chainKey: string;
      readonly area: Area;
      readonly position: number;
      readonly block: JsonObject & CoSignature;
      readonly entry: JsonObject;
    }
  | { readonly issued: JsonObject };

/** Writes uses of co-signatures down, where only a part of the file is seen, for the ledger of the whole of it. */
export class DeferredCoSignatures {
  private uses: CoSignatureUse[] = [];
  private chainKey = '';
  private area: Area = 'chain';
  /** Of the entry that is looked at. */
  position = 0;

  /** The entries that follow stand on this chain. */
  chain(chainKey: string, area: Area): void {
    this.chainKey = chainKey;
    this.area = area;
  }

  faultsOf(
    block: CoSignature,
    { requestId = null, recordId = null, transition }: JsonObject,
  ): readonly string[] {
    const action = isObject(transition) ? (transition['action'] ?? null) : null;
    this.uses.push({
      chainKey: this.chainKey,
      area: this.area,
      position: this.position,
      block: block as JsonObject & CoSignature,
      entry: { requestId, recordId, transition: { action } },
    });
    return [];
  }

  issued({ certId = null, publicKeyJwk = null }: JsonObject): void {
    this.uses.push({ issued: { certId, publicKeyJwk } });
  }

  take(): readonly CoSignatureUse[] {
    const { uses } = this;
    this.uses = [];
    return uses;
  }
}

/** Shows the ledger what was written down, part after part in the order of the file. */
export class CoSignatureReplay {
  private chainKey: string | null = null;
  private used = new Set<string>();

  constructor(
    private readonly ledger: CoSignatureLedger,
    private readonly findings: Findings,
  ) {}

  show(uses: readonly CoSignatureUse[]): void {
    for (const use of uses)
      if ('issued' in use) this.ledger.issued(use.issued);
      else this.entry(use);
  }

  private entry({
    chainKey,
    area,
    position,
    block,
    entry,
  }: Exclude<CoSignatureUse, { issued: unknown }>): void {
    if (this.chainKey !== chainKey) {
      this.chainKey = chainKey;
      this.used = new Set();
    }
    for (const fault of this.ledger.faultsOf(block, entry, this.used))
      this.findings.fail(
        'coSignatures',
        area,
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        { chainKey, position },
        fault,
      );
  }
}
