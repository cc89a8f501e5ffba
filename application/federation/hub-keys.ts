import type { HubKey } from '../../domain/federation/hub-key.ts';
import type { HubKeyReads } from '../../domain/federation/hub-key-store.port.ts';
import { hubKeyThumbprint } from '../../domain/federation/peer-claim.ts';
import type { AgentPublicKey } from '../../domain/identity/agent-public-key.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { encodeCbor } from '../../domain/kernel/deterministic-cbor.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import { rowDrift } from '../../domain/kernel/row-drift.ts';
import { coseKeyOf } from '../../domain/vault/cose-key.ts';
import { systemOrigin } from '../sealing/origin.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { CryptoCapabilities } from '../sealing/crypto-capabilities.port.ts';
import type { Vault } from '../sealing/vault.ts';
import type { HubKeySecrets } from './hub-key-secrets.port.ts';

/** A hub key that can sign. */
export interface OpenHubKey {
  readonly id: Uuid;
  readonly thumbprint: string;
  readonly publicKey: AgentPublicKey;
  readonly createdAt: string;
  sign(bytes: Uint8Array): Uint8Array;
}

/** Another process made the first key meanwhile. */
class AlreadyMade extends Error {}

/** The keys by which this hub signs its requests to peers. The first one is made where federation is first used. */
export class HubKeys {
  private readonly opened = new Map<string, OpenHubKey>();

  constructor(
    private readonly reads: HubKeyReads,
    private readonly secrets: HubKeySecrets,
    private readonly unitOfWork: UnitOfWork,
    private readonly sealPlatform: SealPlatform,
    private readonly ledger: Pick<PlatformLedger, 'factsWithin'>,
    private readonly vault: Vault,
    private readonly capabilities: CryptoCapabilities,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** The key that no other one follows. Read anew each time: another process may have rolled it over. */
  async current(): Promise<OpenHubKey> {
    return this.open(currentOf(await this.all()));
  }

  /** One that a peer knows, the current one or one before it. */
  async of(thumbprint: string): Promise<OpenHubKey> {
    const known = this.opened.get(thumbprint);
    if (known) return known;
    const found = (await this.all()).find((key) => key.thumbprint === thumbprint);
    if (!found) throw unusable();
    return this.open(found);
  }

  /** Every key, oldest first; at least one. @throws UNPROCESSABLE where this host cannot compute Ed25519. */
  async all(): Promise<readonly HubKey[]> {
    if (!(await this.capabilities.canUse('Ed25519'))) throw cannotFederate();
    const keys = await this.reads.all();
    if (keys.length > 0) return keys;
    await this.makeFirst();
    return this.reads.all();
  }

  open(key: HubKey): OpenHubKey {
    const { id, thumbprint, publicKey, createdAt, sealedPrivateKey } = key;
    const known = this.opened.get(thumbprint);
    if (known) return known;
    const sign = sealedPrivateKey && this.secrets.open(sealedPrivateKey, id);
    if (!sign || hubKeyThumbprint(publicKey) !== thumbprint) throw unusable();
    const opened = { id, thumbprint, publicKey, createdAt, sign };
    this.opened.set(thumbprint, opened);
    return opened;
  }

  /** A key that was never used, as a row; nothing is written. */
  make(): HubKey {
    const id = this.ids.next();
    const { publicKey, sealed } = this.secrets.make(id);
    return {
      id,
      thumbprint: hubKeyThumbprint(publicKey),
      publicKey,
      sealedPrivateKey: sealed,
      createdAt: this.clock.now().toISOString(),
      retiredAt: null,
      version: 1,
    };
  }

  private async makeFirst(): Promise<void> {
    const key = this.make();
    const requestId = this.ids.next();
    try {
      await this.unitOfWork.transaction(async (stores) => {
        // The row is gone and the chain says that there was one: a new key would be a stranger to every peer.
        if ((await this.ledger.factsWithin(stores.chains)).hasHubKey) {
          if ((await stores.hubKeys.lockAll()).length > 0) throw new AlreadyMade();
          throw rowDrift('hub_keys', null);
        }
        // Sealed first: it locks the platform chain, so of two processes the second one sees the row of the first.
        await this.sealPlatform.seal(stores, systemOrigin(requestId), {
          entryType: 'HUB_KEY_CREATED',
          orgId: null,
          rows: { [key.id]: key.version },
          members: hubKeyMembers(this.vault.hub.hubId, key),
        });
        if ((await stores.hubKeys.lockAll()).length > 0) throw new AlreadyMade();
        await stores.hubKeys.insert(key);
      });
    } catch (error) {
      if (!(error instanceof AlreadyMade)) throw error;
    }
  }
}

export const currentOf = (keys: readonly HubKey[]): HubKey => {
  const [current, ...others] = keys.filter(({ retiredAt }) => retiredAt === null);
  if (!current || others.length > 0) throw unusable();
  return current;
};

/** What the platform chain says of a hub key. */
export const hubKeyMembers = (
  hubId: Uuid,
  { thumbprint, publicKey }: Pick<HubKey, 'thumbprint' | 'publicKey'>,
): JsonObject => ({
  hubId,
  publicKeyThumbprint: thumbprint,
  coseKey: encodeBase64(encodeCbor(coseKeyOf({ algorithm: 'Ed25519', raw: publicKey.raw }))),
});

const cannotFederate = (): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE',
    'This host cannot compute Ed25519, which every request between hubs is signed with, so this hub does not federate.',
    { suggestion: 'Run the service on a host whose cryptography has Ed25519: not in FIPS mode.' },
  );

const unusable = (): NotaryError =>
  new NotaryError(
    'SERVICE_UNAVAILABLE',
    'The hub key cannot be used: its row, or the SECRETS_KEY that it is encrypted under, is not there. Nothing was sent.',
    {
      retryAfter: 60,
      suggestion: 'Tell the operator to name the former SECRETS_KEY beside the newest one.',
    },
  );
