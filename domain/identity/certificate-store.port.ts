import type { Slice, SliceRequest } from '../kernel/page.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { EphemeralCert, KeyHolder } from './ephemeral-cert.ts';
import type { TrustedIssuer } from './trusted-issuer.ts';

/** Inside a unit of work. Inserts may be deferred to the commit; a duplicate then fails the unit of work. */
export interface TrustedIssuerStore {
  /** The same issuerUrl and expectedAudience twice fail the unit of work. */
  insert(issuer: TrustedIssuer): Promise<void>;
  /** Locks the row until the end of the unit of work; null where there is none. */
  lock(id: Uuid): Promise<TrustedIssuer | null>;
  /** Writes what may change: everything but id, orgId, issuerUrl, appliesTo, managedBy and createdAt. Rejects with DuplicateError as insert does. */
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
  /** Locks those that an issuer minted, that are not revoked and not expired at `now` (ISO 8601), oldest first. */
  lockActiveOf(issuerId: Uuid, now: string): Promise<readonly EphemeralCert[]>;
  /** Whether the issuer ever minted one. */
  hasMinted(issuerId: Uuid): Promise<boolean>;
  /** Whose the key is; null where nobody used it yet. */
  keyHolder(publicKey: Uint8Array): Promise<KeyHolder | null>;
  /** A key that has a holder fails the unit of work. */
  bindKey(publicKey: Uint8Array, holder: KeyHolder): Promise<void>;
  isSpent(token: Uint8Array): Promise<boolean>;
  /** A token (32 bytes that stand for it) that was spent before fails the unit of work. @param until ISO 8601: nobody takes it after that anyway. */
  spend(token: Uint8Array, until: string): Promise<void>;
}

/** Committed rows, outside of a unit of work. Null where missing. */
export interface TrustedIssuerReads {
  find(id: Uuid): Promise<TrustedIssuer | null>;
  /** Of every audience, oldest first. */
  ofUrl(issuerUrl: string): Promise<readonly TrustedIssuer[]>;
  list(filter: { readonly orgId?: Uuid }, slice: SliceRequest): Promise<Slice<TrustedIssuer>>;
}

export interface CertReads {
  find(id: Uuid): Promise<EphemeralCert | null>;
}
