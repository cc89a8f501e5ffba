import type { Slice, SliceRequest } from '../kernel/page.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { EphemeralCert, KeyHolder } from './ephemeral-cert.ts';
import type { TrustedIssuer } from './trusted-issuer.ts';

/**
 * Inside a unit of work. Inserts may be deferred to the commit; a duplicate then fails the unit of
 * work.
 */
export interface TrustedIssuerStore {
  /** The same issuerUrl and expectedAudience twice fail the unit of work. */
  insert(issuer: TrustedIssuer): Promise<void>;
  /** Locks the row until the end of the unit of work; null where there is none. */
  lock(id: Uuid): Promise<TrustedIssuer | null>;
  /**
   * Writes every member that may change: all but id, orgId, issuerUrl, appliesTo, managedBy and
   * createdAt. Rejects with DuplicateError as insert does.
   */
  update(issuer: TrustedIssuer): Promise<void>;
  delete(id: Uuid): Promise<void>;
  /** Whether an enabled issuer of the org lets some admin in, whatever keys there are. */
  hasAdminAccess(orgId: Uuid): Promise<boolean>;
}

export interface CertStore {
  insert(cert: EphemeralCert): Promise<void>;
  /** Locks the row until the end of the unit of work; null where there is none. */
  lock(id: Uuid): Promise<EphemeralCert | null>;
  revoke(ids: readonly Uuid[], revokedAt: string): Promise<void>;
  /**
   * Locks the certificates of an issuer that are neither revoked nor expired at `now` (ISO 8601),
   * oldest first.
   */
  lockActiveOf(issuerId: Uuid, now: string): Promise<readonly EphemeralCert[]>;
  /** Whether a certificate was ever issued for a token of the issuer. */
  hasMinted(issuerId: Uuid): Promise<boolean>;
  /** The holder of the key; null where nobody has used it yet. */
  keyHolder(publicKey: Uint8Array): Promise<KeyHolder | null>;
  /** A key that has a holder fails the unit of work. */
  bindKey(publicKey: Uint8Array, holder: KeyHolder): Promise<void>;
  isSpent(token: Uint8Array): Promise<boolean>;
  /**
   * Marks a token as spent. A token that was spent before fails the unit of work.
   *
   * @param token 32 bytes that identify it.
   * @param until ISO 8601. The token is refused after that in any case.
   */
  spend(token: Uint8Array, until: string): Promise<void>;
}

/** Committed rows, outside of a unit of work. Null where missing. */
export interface TrustedIssuerReads {
  find(id: Uuid): Promise<TrustedIssuer | null>;
  /** The issuers with the URL, for every audience, oldest first. One that somebody else wrote is left out. */
  ofUrl(issuerUrl: string): Promise<readonly TrustedIssuer[]>;
  list(filter: { readonly orgId?: Uuid }, slice: SliceRequest): Promise<Slice<TrustedIssuer>>;
}

export interface CertReads {
  find(id: Uuid): Promise<EphemeralCert | null>;
}
