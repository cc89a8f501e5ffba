import type { Org } from '../../domain/identity/org.ts';
import type { Agent } from '../../domain/identity/agent.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import type { HubIdentity } from '../../domain/vault/vault-store.port.ts';

/** Something in the source that is not as its chains say, or that this release does not take. */
export interface Finding {
  readonly code:
    | 'row-edited'
    | 'row-missing'
    | 'row-unknown'
    | 'display-name-unproven'
    | 'chain-broken'
    | 'manifest-missing'
    | 'manifest-altered'
    | 'unusable';
  readonly kind: 'org' | 'agent' | 'recordType' | 'publisher';
  readonly subject: string;
  readonly message: string;
  /** Whether it is carried over all the same, as the chain says it. */
  readonly carried: boolean;
}

export interface CarriedOrg extends Pick<Org, 'id' | 'slug' | 'name' | 'settings'> {
  /** Of the entry that created it in the source. */
  readonly position: number;
  /** The labels that it claimed besides its slug. */
  readonly publishers: readonly string[];
}

export interface CarriedAgent extends Pick<
  Agent,
  'id' | 'orgId' | 'name' | 'displayName' | 'capabilities' | 'deactivationReason'
> {
  readonly position: number;
  readonly isDeactivated: boolean;
}

export type CarriedType = Pick<
  RecordType,
  'id' | 'orgId' | 'publisher' | 'type' | 'version' | 'manifestDigest' | 'status'
>;

/** What is carried over: proven by the chains of the source, and usable by this release. */
export interface CarriedConfig {
  readonly source: {
    readonly hub: HubIdentity;
    /** Of the newest signing key, SHA-256 of its SPKI, lowercase hex. */
    readonly signingKeyFingerprint: string;
    /** How many entries the platform chain has. */
    readonly platformEntries: number;
    /** When the newest of them was sealed, ISO 8601. */
    readonly newestEntryAt: string;
  };
  readonly orgs: readonly CarriedOrg[];
  readonly agents: readonly CarriedAgent[];
  /** Those of one org in the order of its schema chain. */
  readonly recordTypes: readonly CarriedType[];
  readonly findings: readonly Finding[];
  /** Agents of the system org, which the bootstrap of each notary makes for itself. */
  readonly operators: number;
}

export const nameOfVersion = ({
  publisher,
  type,
  version,
}: Pick<CarriedType, 'publisher' | 'type' | 'version'>): string =>
  `${publisher}/${type} version ${version}`;
