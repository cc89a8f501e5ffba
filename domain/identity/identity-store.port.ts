import type { Slice, SliceRequest } from '../kernel/page.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Agent } from './agent.ts';
import type { EncryptionKey, SigningKey } from './agent-key.ts';
import type { AgentReference } from './agent-reference.ts';
import type { ApiKey } from './api-key.ts';
import type { Org } from './org.ts';
import type { Role } from './scopes.ts';

/**
 * Inside a unit of work. Inserts may be deferred to the commit; a duplicate then fails the unit of
 * work.
 */
export interface OrgStore {
  insert(org: Org): Promise<void>;
  find(id: Uuid): Promise<Org | null>;
  /** Locks the row until the end of the unit of work; null where there is none. */
  lock(id: Uuid): Promise<Org | null>;
  /** Writes the settings: nothing else of an org may change. */
  update(org: Org): Promise<void>;
  findBySlug(slug: string): Promise<Org | null>;
}

export interface AgentStore {
  insert(agent: Agent): Promise<void>;
  find(id: Uuid): Promise<Agent | null>;
  /** In no particular order; those that are missing are left out. */
  findAll(ids: readonly Uuid[]): Promise<readonly Agent[]>;
  /** Locks the row until the end of the unit of work; null where there is none. */
  lock(id: Uuid): Promise<Agent | null>;
  /** Writes the members that may change: capabilities, deactivatedAt, deactivationReason, absences and version. */
  update(agent: Agent): Promise<void>;
}

/**
 * The keys that agents publish. A key is registered once, for one purpose. Its RFC 9679 thumbprint
 * stays taken when the key is revoked or replaced.
 */
export interface AgentKeyStore {
  /**
   * A thumbprint that is taken fails the unit of work.
   *
   * @param entryPosition of its entry on the platform chain.
   */
  insertSigningKey(key: SigningKey, entryPosition: number): Promise<void>;
  /** The same. The key replaces the agent's encryption key, if there is one, from `setAt` on. */
  setEncryptionKey(key: EncryptionKey, entryPosition: number): Promise<void>;
  /** Whether any agent has, or had, the key. */
  isTaken(coseThumbprint: Uint8Array): Promise<boolean>;
  encryptionKey(agentId: Uuid): Promise<EncryptionKey | null>;
  /** Oldest first, revoked ones included. */
  signingKeys(agentId: Uuid): Promise<readonly SigningKey[]>;
  /** Writes revokedAt. */
  revokeSigningKey(key: SigningKey): Promise<void>;
}

export interface AgentReferenceStore {
  /**
   * @param entryPosition of its entry on the platform chain. The same kind and URI twice on an
   *   agent fails the unit of work.
   */
  insert(reference: AgentReference, entryPosition: number): Promise<void>;
  /** In the order in which they were added. */
  of(agentId: Uuid): Promise<readonly AgentReference[]>;
}

export interface ApiKeyStore {
  insert(key: ApiKey): Promise<void>;
  /** Locks the row until the end of the unit of work; null where there is none. */
  lock(id: Uuid): Promise<ApiKey | null>;
  /**
   * Writes the members that may change: isActive, deactivatesAt, revokedAt, revokedByKeyId,
   * revocationReason, version.
   */
  update(key: ApiKey): Promise<void>;
  /** Writes keyHash. */
  rehash(key: ApiKey): Promise<void>;
  /** Whether any platform key exists, revoked ones included. Serialises with every other caller. */
  anyPlatformKey(): Promise<boolean>;
  /**
   * Locks the rows of the selection until the end of the unit of work, at most `limit` of them, by
   * id.
   */
  lockSelected(selection: KeySelection, limit: number): Promise<readonly ApiKey[]>;
  /**
   * The orgs that a key of the selection governs at `now` (null: the platform). Serialises with
   * every other caller.
   */
  governedBy(selection: KeySelection, now: Date): Promise<readonly (Uuid | null)[]>;
  /** Whether a key outside of the selection governs the org (null: the platform) at `now`. */
  isGovernedBeside(orgId: Uuid | null, selection: KeySelection, now: Date): Promise<boolean>;
}

/** Committed rows, outside of a unit of work. Null where missing. */
export interface OrgReads {
  find(id: Uuid): Promise<Org | null>;
  list(filter: { readonly id?: Uuid }, slice: SliceRequest): Promise<Slice<Org>>;
}

export interface AgentReads {
  find(id: Uuid): Promise<Agent | null>;
  list(
    filter: { readonly orgId?: Uuid; readonly name?: string; readonly deactivated?: boolean },
    slice: SliceRequest,
  ): Promise<Slice<Agent>>;
}

/** What several agents have published. An agent that has published nothing is absent. */
export interface AgentKeyReads {
  /**
   * The signing key whose RFC 9679 thumbprint begins with these bytes; null where there is none, or more than one. A
   * revoked one too.
   */
  signingKeyBy(thumbprint: Uint8Array): Promise<SigningKey | null>;
  encryptionKeys(agentIds: readonly Uuid[]): Promise<ReadonlyMap<Uuid, EncryptionKey>>;
  /** Oldest first, revoked ones included. */
  signingKeys(agentIds: readonly Uuid[]): Promise<ReadonlyMap<Uuid, readonly SigningKey[]>>;
}

export interface AgentReferenceReads {
  /** In the order in which they were added. */
  of(agentIds: readonly Uuid[]): Promise<ReadonlyMap<Uuid, readonly AgentReference[]>>;
}

export interface ApiKeyFilter {
  readonly ownerId?: Uuid;
  readonly orgId?: Uuid;
  readonly isActive?: boolean;
  readonly role?: Role;
  /** ISO 8601, exclusive. */
  readonly createdBefore?: string;
  readonly lastUsedBefore?: string;
  readonly neverUsed?: boolean;
  readonly neverExpires?: boolean;
}

/** Keys that are changed together. Every member narrows the selection. */
export interface KeySelection extends ApiKeyFilter {
  readonly ids?: readonly Uuid[];
  /** Left out, even where it matches. */
  readonly exceptId?: Uuid;
  /** Only those that no provisioning file manages. */
  readonly unmanaged?: true;
}

/**
 * A key with its owner. A key without an owner does not exist.
 */
export interface Credential {
  readonly key: ApiKey;
  readonly owner: Agent;
}

export interface ApiKeyReads {
  find(id: Uuid): Promise<ApiKey | null>;
  /** One indexed read. @param keyHashes of one key, under each pepper. */
  findCredential(keyHashes: readonly Uint8Array[]): Promise<Credential | null>;
  list(filter: ApiKeyFilter, slice: SliceRequest): Promise<Slice<ApiKey>>;
  /** At most `limit` of the selection, in no order. */
  selectIds(selection: KeySelection, limit: number): Promise<readonly Uuid[]>;
}

/**
 * Records when keys were used: the first use of a key at once, the later ones now and then.
 */
export interface KeyUseLog {
  /**
   * The first use that this process knows of. When it resolves with true, the use is stored, so whoever looks for keys
   * that were never used does not find this one; false: the key was revoked meanwhile. Another process may have been
   * first.
   */
  begin(keyId: Uuid, at: Date): Promise<boolean>;
  /** A later use. It is called on every request, so uses are collected and written together. */
  touch(keyId: Uuid, at: Date): void;
}
