import type { Container } from 'inversify';
import type { Log } from '../application/ports/log.port.ts';
import {
  LostRevocations,
  type LostRevocationReport,
} from '../application/vault/lost-revocations.ts';
import { Vault } from '../application/sealing/vault.ts';
import type { RevocableKind } from '../domain/vault/revocation.ts';
import { createContainer } from './container.ts';
import { openSecrets } from './doctor/secret-checks.ts';
import { withStorage } from './service.ts';
import type { Settings } from './settings-table.ts';

/** What the anchors know to be revoked and the database does not. Nothing is made or written. */
export const readLostRevocations = async (container: Container): Promise<LostRevocationReport> => {
  const revocations = container.get(LostRevocations);
  await revocations.read();
  return revocations.report;
};

export interface RestoredRevocations {
  readonly data: readonly {
    readonly kind: RevocableKind;
    readonly id: string;
    /** The lost entry of the platform chain. */
    readonly entryType: string;
    readonly revokedAt: string;
    /** The call that revokes it again. */
    readonly revokeBy: string;
  }[];
  readonly knownFrom: string | null;
  readonly knownTo: string | null;
  /** How far the list reaches, as sentences. */
  readonly reach: string;
}

/**
 * The same of a database that was just restored.
 *
 * @throws Error with a sentence for the operator.
 */
export const revocationsAfterRestore = (
  settings: Settings,
  log: Log,
): Promise<RestoredRevocations> =>
  withStorage(settings, log, async (sql) => {
    const { secrets, findings } = await openSecrets(settings, sql);
    if (secrets === null) throw new Error(findings.map(({ message }) => message).join(' '));
    const container = createContainer({ settings, secrets, sql, log });
    await container.get(Vault).open();
    const report = await readLostRevocations(container);
    return {
      data: report.lost.map(({ kind, id, entryType, at }) => ({
        kind,
        id,
        entryType,
        revokedAt: at,
        revokeBy: callToRevoke({ kind, id }),
      })),
      knownFrom: report.knownFrom,
      knownTo: report.knownTo,
      reach: reachOf(report),
    };
  });

const CALLS: Readonly<Record<RevocableKind, (id: string) => string>> = {
  api_key: (id) => `PATCH /v1/admin/api-keys/${id} with {"isActive": false}`,
  agent: (id) => `POST /v1/admin/agents/${id}/deactivate`,
  certificate: (id) => `POST /v1/admin/ephemeral-certs/${id}/revoke`,
  signing_key: (id) => `DELETE /v1/agents/${id.replace('/', '/signing-keys/')}`,
  issuer: (id) => `PATCH /v1/admin/trusted-issuers/${id} with {"enabled": false}`,
  peer: (id) => `POST /v1/admin/federation/peers/${id}/revoke`,
  witness: (id) => `DELETE /v1/admin/witnesses/${id}`,
};

/** The call that revokes it. */
export const callToRevoke = ({
  kind,
  id,
}: {
  readonly kind: RevocableKind;
  readonly id: string;
}): string => CALLS[kind](id);

/** How far the list reaches, as sentences. */
export const reachOf = ({ knownFrom, knownTo }: LostRevocationReport): string =>
  knownTo === null
    ? 'The anchors hold no list of revocations: compare by hand what was revoked after the backup.'
    : `The list reaches ${knownFrom === null ? '' : `from ${knownFrom} `}to ${knownTo}. What was revoked later${knownFrom === null ? '' : ' or earlier'} is not in it: compare by hand.`;
