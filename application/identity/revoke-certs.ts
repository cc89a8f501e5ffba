import type { Static } from 'typebox';
import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import { REVOKED_CERT_VERSION, type EphemeralCert } from '../../domain/identity/ephemeral-cert.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { ChangeNotice } from '../ports/change-notice.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { RevokeCertInput, RevokeIssuerCertsInput } from './certificate-inputs.ts';

export interface RevokedCert {
  readonly cert: EphemeralCert;
  /** ISO 8601. */
  readonly revokedAt: string;
  /** The certificate was revoked before this call. */
  readonly wasRevoked: boolean;
}

export interface RevokedCerts {
  readonly issuerId: Uuid;
  /** How many. */
  readonly revoked: number;
}

/** How many certificates one entry names. More could exceed the largest statement. */
const IDS_AN_ENTRY = 500;

/** Revokes one certificate. The other class revokes every active one of an issuer. */
export class RevokeCert {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly notice: ChangeNotice,
    private readonly clock: Clock,
  ) {}

  /** Revoking it again changes nothing, and `wasRevoked` says so. */
  async execute(
    context: CallContext,
    { certId, reason }: Static<typeof RevokeCertInput>,
  ): Promise<RevokedCert> {
    const result = await this.idempotent.run(context, async (stores) => {
      const cert = await stores.certs.lock(certId);
      if (!cert) throw notFound('certificate');
      if (cert.revokedAt) return { cert, revokedAt: cert.revokedAt, wasRevoked: true };
      const revokedAt = this.clock.now().toISOString();
      await revoke(stores, this.sealPlatform, context, [cert], revokedAt, reason ?? null);
      return { cert, revokedAt, wasRevoked: false };
    });
    this.notice.changed('cert', certId);
    return result;
  }
}

export class RevokeIssuerCerts {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly notice: ChangeNotice,
    private readonly clock: Clock,
  ) {}

  async execute(
    context: CallContext,
    { issuerId, reason }: Static<typeof RevokeIssuerCertsInput>,
  ): Promise<RevokedCerts> {
    const revoked = await this.idempotent.run(context, async (stores) => {
      // No exchange gets past this lock until these are revoked.
      if (!(await stores.trustedIssuers.lock(issuerId))) throw notFound('trusted issuer');
      const now = this.clock.now().toISOString();
      const certs = await stores.certs.lockActiveOf(issuerId, now);
      for (let i = 0; i < certs.length; i += IDS_AN_ENTRY)
        await revoke(
          stores,
          this.sealPlatform,
          context,
          certs.slice(i, i + IDS_AN_ENTRY),
          now,
          reason ?? null,
        );
      return { issuerId, revoked: certs.length };
    });
    this.notice.changed('cert', issuerId);
    return revoked;
  }
}

const revoke = async (
  stores: Stores,
  sealPlatform: SealPlatform,
  { caller, requestId }: CallContext,
  certs: readonly EphemeralCert[],
  revokedAt: string,
  reason: string | null,
): Promise<void> => {
  const [first] = certs;
  if (!first) return;
  await stores.certs.revoke(
    certs.map(({ id }) => id),
    revokedAt,
  );
  const orgs = new Set(certs.map(({ orgId }) => orgId));
  const members = { issuerId: first.issuerId, certIds: certs.map(({ id }) => id), reason };
  await sealPlatform.seal(
    stores,
    { actor: actorOf(caller), requestId },
    {
      entryType: 'CERT_REVOKED',
      orgId: orgs.size === 1 ? first.orgId : null,
      rows: Object.fromEntries(certs.map(({ id }) => [id, REVOKED_CERT_VERSION])),
      members,
      event: 'cert.revoked',
      parts: byAgent(certs).map(([{ agentId, orgId }, certIds]) => ({
        agentId,
        orgId,
        eventData: { ...members, certIds },
      })),
    },
  );
};

/** The first certificate of each agent, with the ids of all that it has among these. */
const byAgent = (
  certs: readonly EphemeralCert[],
): readonly (readonly [EphemeralCert, readonly Uuid[]])[] => {
  const agents = new Map<Uuid, readonly [EphemeralCert, Uuid[]]>();
  for (const cert of certs) {
    const known = agents.get(cert.agentId);
    if (known) known[1].push(cert.id);
    else agents.set(cert.agentId, [cert, [cert.id]]);
  }
  return [...agents.values()];
};
