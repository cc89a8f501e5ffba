import type {
  PeerKeyStatementReads,
  PeerKeyStatements,
  PeerReads,
} from '../../domain/federation/peer-store.port.ts';
import type { Peer, PeerVaultKey } from '../../domain/federation/peer.ts';
import {
  followPeerSuccession,
  PeerSuccessionError,
  peerVaultKeysOf,
  statementsIn,
} from '../../domain/federation/peer-succession.ts';
import { isObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { unlessDrifted } from '../../domain/kernel/row-drift.ts';
import {
  decodeUtf8Strict,
  parseStrictJson,
  StrictJsonError,
} from '../../domain/kernel/strict-json.ts';
import type { KeyStatement } from '../../domain/vault/key-statement.ts';
import type { KeySuccession } from '../../domain/vault/key-succession.ts';
import { EgressError, type EgressClient } from '../ports/egress-client.port.ts';
import type { Log } from '../ports/log.port.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';

/** A peer is asked at most once in this time, ms. */
const AGAIN_MS = 60_000;
/**
 * After a first failure it is asked again sooner, and with each further one after twice as long. Less than what a lane waits
 * before its second attempt, so that finds the key.
 */
const AFTER_FAILURE_MS = 4_000;
const TIMEOUT_MS = 5_000;
const MAX_IDENTITY_BYTES = 65_536;
const MAX_KEYS_BYTES = 4_194_304;

interface Known {
  readonly vaultRoot: string;
  readonly succession: KeySuccession;
  readonly keys: ReadonlyMap<string, PeerVaultKey>;
}

/**
 * The vault keys of peers: those that the registered root reaches by verified key statements. They are kept, so a start
 * needs no network, and they never stand where the hub's own keys are looked up.
 */
export class PeerVaultKeys {
  private readonly known = new Map<Uuid, Known>();
  /** When a peer may be asked again, ms. */
  private readonly nextAt = new Map<Uuid, number>();
  private readonly failures = new Map<Uuid, number>();
  private readonly underWay = new Map<Uuid, Promise<void>>();

  constructor(
    private readonly peers: Pick<PeerReads, 'find'>,
    private readonly kept: PeerKeyStatementReads,
    private readonly egress: EgressClient,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Asks the peer where the kid is not known, at most once a minute. Null where the hub was never registered, has no such
   * key, or cannot be asked.
   *
   * @param vaultRoot of the peer, where the caller has read it: what was verified from that root needs no further look.
   */
  async find(hubId: Uuid, keyId: string, vaultRoot?: string): Promise<PeerVaultKey | null> {
    const verified = this.known.get(hubId);
    const key = verified?.vaultRoot === vaultRoot && verified?.keys.get(keyId);
    if (key) return key;
    const peer = await this.peers.find(hubId);
    if (!peer) return null;
    const known = await this.knownOf(peer);
    const found = known?.keys.get(keyId);
    if (found) return found;
    await this.askOnce(peer);
    return (await this.knownOf(peer))?.keys.get(keyId) ?? null;
  }

  /**
   * The key statements that lead to a key, in the order of the peer's platform chain, and the root from which they do: of a peer
   * that was registered again perhaps a former one, under which it signed before. Those of now where none leads there.
   */
  async successionTo(
    hubId: Uuid,
    keyId: string | null,
  ): Promise<{ readonly vaultRoot: string; readonly statements: readonly KeyStatement[] } | null> {
    const peer = await this.peers.find(hubId);
    if (!peer) return null;
    const now = await this.knownOf(peer);
    if (keyId !== null && !now?.keys.has(keyId))
      for (const { vaultRoot, statements } of await this.before(peer)) {
        const former = await followPeerSuccession({ ...peer, vaultRoot }, statements);
        if (peerVaultKeysOf(former).has(keyId)) return { vaultRoot, statements: former.statements };
      }
    return { vaultRoot: peer.vaultRoot, statements: now?.succession.statements ?? [] };
  }

  /** Kept under another root than that of now. */
  private async before({ hubId, vaultRoot }: Peer): Promise<readonly PeerKeyStatements[]> {
    const kept = await this.keptOf(hubId);
    const former = await unlessDrifted(this.kept.former(hubId));
    return [...(kept ? [kept] : []), ...(former ?? [])].filter(
      (one) => one.vaultRoot !== vaultRoot,
    );
  }

  private async knownOf(peer: Peer): Promise<Known | null> {
    const { hubId, vaultRoot } = peer;
    const known = this.known.get(hubId);
    if (known?.vaultRoot === vaultRoot) return known;
    const kept = await this.keptOf(hubId);
    if (kept?.vaultRoot !== vaultRoot) return null;
    return this.follow(peer, kept.statements);
  }

  /** A row that somebody else wrote is as good as none: the peer is asked again. */
  private keptOf(hubId: Uuid): ReturnType<PeerKeyStatementReads['find']> {
    return unlessDrifted(this.kept.find(hubId));
  }

  /** Null where the statements do not hold. */
  private async follow(peer: Peer, statements: readonly Uint8Array[]): Promise<Known | null> {
    try {
      const succession = await followPeerSuccession(peer, statements);
      const known = {
        vaultRoot: peer.vaultRoot,
        succession,
        keys: peerVaultKeysOf(succession),
      };
      this.known.set(peer.hubId, known);
      return known;
    } catch (error) {
      if (!(error instanceof PeerSuccessionError)) throw error;
      this.log.warn({ peerHubId: peer.hubId, reason: error.message }, 'vault keys of a peer');
      return null;
    }
  }

  /** How long a key that is not known stays so at least. */
  secondsUntilAsked(hubId: Uuid): number {
    const left = (this.nextAt.get(hubId) ?? 0) - this.now();
    // More than that is left where the clock was put back.
    return left > AGAIN_MS ? 0 : Math.ceil(Math.max(left, 0) / 1_000);
  }

  /** Those who ask at once share one look. */
  private askOnce(peer: Peer): Promise<void> {
    const known = this.underWay.get(peer.hubId);
    if (known) return known;
    if (this.secondsUntilAsked(peer.hubId) > 0) return Promise.resolve();
    this.nextAt.set(peer.hubId, this.now() + AGAIN_MS);
    const asked = this.ask(peer).finally(() => this.underWay.delete(peer.hubId));
    this.underWay.set(peer.hubId, asked);
    return asked;
  }

  private async ask(peer: Peer): Promise<void> {
    try {
      const identity = await this.get(`${peer.baseUrl}/federation/v1/identity`, MAX_IDENTITY_BYTES);
      const { url, name } = identityOf(identity, peer);
      const statements = statementsIn(await this.get(url, MAX_KEYS_BYTES));
      const before = await this.knownOf(peer);
      // A peer that shows less than it showed before is not followed back.
      if (before && !isContinued(before.succession.statements, statements))
        throw new PeerSuccessionError('the key statements do not go on from those known here');
      await followPeerSuccession(peer, statements);
      await this.unitOfWork.transaction(async (stores) => {
        await stores.peerKeyStatements.put({
          hubId: peer.hubId,
          vaultRoot: peer.vaultRoot,
          statements,
          fetchedAt: this.clock.now().toISOString(),
        });
        if (name !== null && name !== peer.name) await stores.peers.note(peer.hubId, { name });
      });
      await this.follow(peer, statements);
      this.failures.delete(peer.hubId);
    } catch (error) {
      if (
        !(error instanceof EgressError) &&
        !(error instanceof PeerSuccessionError) &&
        !(error instanceof StrictJsonError)
      )
        throw error;
      if (error instanceof EgressError && error.kind === 'failed') this.failed(peer.hubId);
      this.log.warn(
        { peerHubId: peer.hubId, reason: error.message },
        'the vault keys of a peer could not be fetched; they are asked for again',
      );
    }
  }

  private failed(hubId: Uuid): void {
    const before = this.failures.get(hubId) ?? 0;
    this.failures.set(hubId, before + 1);
    const wait = Math.min(AFTER_FAILURE_MS * 2 ** before, AGAIN_MS);
    this.nextAt.set(hubId, this.now() + wait);
  }

  private now(): number {
    return this.clock.now().getTime();
  }

  private async get(url: string, maxBytes: number): Promise<JsonValue> {
    const bytes = await this.egress.get({ url, purpose: 'PEER', timeoutMs: TIMEOUT_MS, maxBytes });
    return parseStrictJson(decodeUtf8Strict(bytes), { maxDepth: 16, maxValues: 65_536 });
  }
}

/** The listing stands on the hub that was registered: a peer sends this hub nowhere else. */
const identityOf = (
  identity: JsonValue,
  { baseUrl }: Peer,
): { readonly url: string; readonly name: string | null } => {
  const { vaultKeysUrl, name } = isObject(identity) ? identity : {};
  if (
    typeof vaultKeysUrl !== 'string' ||
    !URL.canParse(vaultKeysUrl) ||
    new URL(vaultKeysUrl).origin !== baseUrl
  )
    throw new PeerSuccessionError('the identity names no vaultKeysUrl on the origin of the peer');
  return {
    url: vaultKeysUrl,
    name: typeof name === 'string' && NAME.test(name) ? name : null,
  };
};

/** Printable, on one line. */
const NAME = /^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u;

const isContinued = (before: readonly KeyStatement[], after: readonly Uint8Array[]): boolean =>
  before.every(({ coseSign1 }, at) => {
    const now = after[at];
    return now?.length === coseSign1.length && now.every((byte, i) => byte === coseSign1[i]);
  });
