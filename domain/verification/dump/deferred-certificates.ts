import { isObject, type JsonObject } from '../../kernel/canonical-json.ts';
import type { EntryScope } from '../chain-entry.ts';
import type { Findings } from '../report.ts';
import type { CertificateReader } from '../verify-chain.ts';
import type { Certificates } from './certificates.ts';

/** An entry by a certificate, or about certificates, with what they are held against. Plain data. */
export interface CertificateUse {
  readonly scope: Pick<EntryScope, 'chainKey' | 'chainKind' | 'area'>;
  readonly position: number;
  readonly predicate: JsonObject;
}

const MEMBERS = ['entryType', 'at', 'actor', 'certId', 'certIds', 'issuedAt', 'expiresAt'] as const;

/** Writes uses of certificates down, where only a part of the file is seen. */
export class DeferredCertificates implements CertificateReader {
  private uses: CertificateUse[] = [];

  faultOf(predicate: JsonObject, scope: EntryScope, position: number): null {
    const { actor, entryType } = predicate;
    if (entryType === 'CERT_REVOKED' || (isObject(actor) && actor['certId'] !== undefined)) {
      const { chainKey, chainKind, area } = scope;
      const held = MEMBERS.filter((name) => predicate[name] !== undefined);
      this.uses.push({
        scope: { chainKey, chainKind, area },
        position,
        predicate: Object.fromEntries(held.map((name) => [name, predicate[name]!])),
      });
    }
    return null;
  }

  take(): readonly CertificateUse[] {
    const { uses } = this;
    this.uses = [];
    return uses;
  }
}

/** Shows the certificates of the whole file what was written down, part after part in its order. */
export class CertificateReplay {
  constructor(
    private readonly certificates: Certificates,
    private readonly findings: Findings,
  ) {}

  show(uses: readonly CertificateUse[]): void {
    for (const { scope, position, predicate } of uses) {
      const { chainKey, chainKind, area } = scope;
      const fault = this.certificates.faultOf(predicate, chainKind);
      const place = { chainKey, position };
      if (fault) this.findings.fail('actor', area, 'CHAIN_PAYLOAD_BINDING_MISMATCH', place, fault);
    }
  }
}
