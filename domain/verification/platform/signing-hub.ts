import type { JsonObject } from '../../kernel/canonical-json.ts';
import { sha256Hex } from '../../kernel/digest.ts';
import { issuerOf } from '../../vault/chain.ts';
import { typOf, type StructureType } from '../../vault/cose-sign1.ts';
import {
  parseStatement,
  UnreadableError,
  type ParsedStatement,
} from '../../vault/parsed-statement.ts';
import type { SignatureChecks } from '../../vault/signatures.ts';
import { predicateTypeOf, type PredicateKind } from '../../vault/statement.ts';
import { wholeSeconds, type HubClaim } from '../entry/chain-entry.ts';
import { isTimestamp } from '../../kernel/timestamp.ts';
import type { FailureClass } from '../report/failure.ts';
import { keyForUse, type KeyRing } from '../keys/key-ring.ts';
import type { CheckName, Findings } from '../report/report.ts';
import { tellSignature } from '../entry/signature-finding.ts';
import { toldFault } from '../entry/told-statement.ts';

/** What one hub signed of a record, outside of its own chain's place in the file. */
export interface SignedBy {
  readonly hash: string;
  readonly kid: string;
  readonly kind: PredicateKind;
  readonly predicate: JsonObject;
  /** Null in what stands on no chain. */
  readonly position: number | null;
}

export interface Expected {
  /** For the report. */
  readonly what: string;
  readonly type: StructureType;
  readonly sub: string;
  /** Any one of them. */
  readonly kinds: readonly PredicateKind[];
}

/** One of the two hubs, with the keys by which its signatures have to verify: never those of the other one. */
export class SigningHub {
  constructor(
    readonly hub: HubClaim,
    readonly ring: KeyRing,
    private readonly chainKey: string,
    private readonly signatures: SignatureChecks,
    readonly findings: Findings,
  ) {}

  /** Opens and checks one structure; null where it cannot be read, which is reported, as is whatever is wrong. */
  open(bytes: Uint8Array, expected: Expected): SignedBy | null {
    const { what } = expected;
    const fail = (check: CheckName, failureClass: FailureClass, detail: string): void =>
      this.findings.fail(check, 'chain', failureClass, this.place, `${what}: ${detail}`);
    const signed = read(bytes, (detail) =>
      fail('headerBinding', 'CHAIN_COSE_DECODE_FAILED', detail),
    );
    if (!signed) return null;
    this.findings.looked('headerBinding');
    const departure = headerFault(signed, expected, this.hub);
    if (departure) fail('headerBinding', 'CHAIN_COSE_HEADER_MISMATCH', departure);
    this.checkSignature(signed, what);
    const kind = expected.kinds.find(
      (one) => signed.statement?.predicateType === predicateTypeOf(this.hub.predicateBase, one),
    );
    this.findings.looked('payloadBinding');
    const fault = kind
      ? toldFault(kind, signed.statement!)
      : `the payload is no statement of the kind ${expected.kinds.join(' or ')} of its hub`;
    if (fault !== null) fail('payloadBinding', 'CHAIN_PAYLOAD_BINDING_MISMATCH', fault);
    if (!kind || fault !== null) return null;
    return {
      hash: sha256Hex(bytes),
      kid: signed.header.kid,
      kind,
      predicate: signed.statement!.predicate,
      position: signed.header.chain?.position ?? null,
    };
  }

  /** Why the key was retired; null where it was not. */
  retirementOf(kid: string): 'scheduled' | 'compromised' | null {
    return this.ring.get(kid)?.retirement?.reason ?? null;
  }

  private get place(): { readonly chainKey: string; readonly position: null } {
    return { chainKey: this.chainKey, position: null };
  }

  private checkSignature({ header, signature, signed, statement }: ParsedStatement, what: string) {
    const at = statement?.predicate['at'];
    this.findings.looked('signatures');
    const key = keyForUse(
      this.ring,
      header,
      {
        place: this.place,
        area: 'chain',
        at: isTimestamp(at) ? at : null,
        missing: 'CHAIN_SIGNATURE_MISSING_KEY',
        // Nothing covers it: what that means depends on why the key was retired, and is told by whoever asked.
        isCovered: () => true,
      },
      this.findings,
    );
    if (!key) return;
    this.signatures.submit(key, signature, signed, (result) =>
      tellSignature(result, key, 'CHAIN_SIGNATURE_INVALID', (failureClass, detail) =>
        this.findings.fail('signatures', 'chain', failureClass, this.place, `${what}: ${detail}`),
      ),
    );
  }
}

const read = (bytes: Uint8Array, fail: (detail: string) => void): ParsedStatement | null => {
  try {
    return parseStatement(bytes);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    fail(error.message);
    return null;
  }
};

const headerFault = (
  { header, hasUnprotected, statement }: ParsedStatement,
  { type, sub }: Expected,
  { hubId }: HubClaim,
): string | null => {
  if (hasUnprotected) return 'the unprotected header is not empty';
  if (header.typ !== typOf(type)) return `the structure is a "${header.typ}", not a ${type}`;
  if ((type === 'chain-entry') !== (header.chain !== undefined))
    return 'an entry claims a place in a chain, and nothing else does';
  if (header.sub !== sub || (header.chain && header.chain.chainKey !== sub))
    return `the subject is ${header.sub}, not the record ${sub}`;
  if (header.iss !== issuerOf(hubId)) return `the issuer is ${header.iss}, not the hub ${hubId}`;
  return header.iat === wholeSeconds(statement?.predicate['at'])
    ? null
    : 'the issue time is not the time of the statement';
};
