import { encodeCbor } from '../../domain/kernel/deterministic-cbor.ts';
import { sha256, toHex } from '../../domain/kernel/digest.ts';
import { CHECKPOINT_LOG } from '../../domain/transparency/tree-store.port.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import type { ChainEntry, ChainHead, Seal } from '../../domain/vault/chain.ts';
import { coseKeyOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import {
  keyActivatedMembers,
  possessionBytes,
  type KeyActivatedMembers,
  type KeyRetiredMembers,
  type KeyStatement,
  type RetirementReason,
} from '../../domain/vault/key-statement.ts';
import type { Signer } from '../../domain/vault/signer.port.ts';
import { platformStatement } from '../../domain/vault/statement.ts';
import type { OrgReadsRound } from '../transparency/org-reads-round.ts';
import type { CoverLogs } from '../transparency/cover-logs.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { LockedSigning } from '../sealing/locked-signing.port.ts';
import type { Vault } from '../sealing/vault.ts';
import type { ChainWriter } from '../sealing/chain-writer.ts';
import type { CheckpointTree } from '../sealing/checkpoint-tree.ts';
import { aboutOrg, actorData, sealedBy, type EventOutbox } from '../sealing/event-outbox.ts';
import { grownChains } from '../sealing/grown-chains.ts';
import type { OpenChain } from '../sealing/open-chain.ts';
import type { Origin } from '../sealing/origin.ts';
import type { ProvenEnds } from '../sealing/proven-ends.ts';
import type { QuietRanges } from '../sealing/quiet-ranges.ts';
import type { SealCheckpoint } from '../sealing/seal-checkpoint.ts';

export interface Rotation {
  readonly next: Signer;
  readonly reason: RetirementReason;
  /** The tree over the log, as far as it was committed before. */
  readonly prepared: CheckpointTree;
  /** What the rounds before it verified. */
  readonly proven: ProvenEnds;
  /** What they covered. */
  readonly quiet: QuietRanges;
}

/** Seals the change of the signing key, in one unit of work that holds the lock which every signature shares. */
export class SealRotation {
  constructor(
    private readonly vault: Vault,
    private readonly writer: ChainWriter,
    private readonly seals: SealCheckpoint,
    private readonly outbox: EventOutbox,
    private readonly orgReads: Pick<OrgReadsRound, 'runWithin'>,
    private readonly logs: CoverLogs,
    private readonly signing: LockedSigning,
  ) {}

  /** @returns false where the key is active no longer: another rotation was faster. */
  async seal(stores: Stores, origin: Origin, rotation: Rotation): Promise<boolean> {
    const chain = await this.writer.lockVerified(stores, PLATFORM_CHAIN);
    if (!(await stores.vaultKeys.lockActive(this.vault.seal.signer.keyId))) return false;
    await this.signing.within(() => this.change(stores, origin, rotation, chain));
    return true;
  }

  private async change(
    stores: Stores,
    origin: Origin,
    { next, reason, prepared, proven, quiet }: Rotation,
    chain: OpenChain,
  ): Promise<void> {
    const { seal: old, hub } = this.vault;
    const { uncovered, newestAt } = await this.coverTheRest(stores, chain.at, { proven, quiet });

    const at = chain.at > newestAt ? chain.at : newestAt;
    const activated = await this.append(stores, origin, old, chain.head, at, 'KEY_ACTIVATED', {
      ...keyActivatedMembers(hub.hubId, publicKeyFromSpki(next.publicKey), {
        possession: await possessionOf(hub.hubId, old.signer, next),
        previousStatement: sha256(this.vault.keyStatements.at(-1)!.coseSign1),
      }),
    });

    const tree = prepared.copy();
    await tree.readOn(stores.checkpoints);
    const { size, root } = tree;
    const last = await this.seals.seal(stores, { head: activated, tree: { size, root } }, at);
    await tree.take(last);
    await stores.trees.add(CHECKPOINT_LOG, tree.takeNodes());

    await stores.vaultKeys.activate(next.keyId, copyOf('activated', next.keyId, activated));
    const fresh: Seal = { ...old, signer: next, keyActivatedAt: activated.at };
    const retired = await this.append(
      stores,
      origin,
      fresh,
      activated,
      last.createdAt,
      'KEY_RETIRED',
      {
        keyId: old.signer.keyId,
        reason,
        treeSize: tree.size,
        treeRoot: toHex(tree.root),
        uncovered,
      },
    );
    await stores.vaultKeys.retire(old.signer.keyId, copyOf('retired', old.signer.keyId, retired));
    await stores.sealedKeys.erase(old.signer.keyId);
    await this.outbox.enqueue(
      stores,
      sealedBy(retired, origin.requestId),
      'vault.key_rotated',
      aboutOrg(null, origin),
      {
        previousKeyId: old.signer.keyId,
        newKeyId: next.keyId,
        reason,
        actor: actorData(origin),
      },
    );
  }

  /** What grew since the last round, with the old key for the last time. */
  private async coverTheRest(
    stores: Stores,
    at: string,
    known: Pick<Rotation, 'proven' | 'quiet'>,
  ): Promise<{ readonly uncovered: number; readonly newestAt: string }> {
    let uncovered = 0;
    const found = (): void => void uncovered++;
    for await (const heads of grownChains(stores.chains, this.writer, { found, ...known }))
      if (heads.length > 0)
        await this.seals.sealAll(stores, await this.logs.withTrees(heads, stores, found), at);
    const reads = await this.orgReads.runWithin(stores, at);
    const newest = (await stores.checkpoints.lockLog())?.createdAt ?? '';
    return {
      uncovered: uncovered + reads.uncovered,
      newestAt: newest > reads.newestAt ? newest : reads.newestAt,
    };
  }

  private async append(
    stores: Stores,
    { actor, requestId }: Origin,
    seal: Seal,
    head: ChainHead | null,
    at: string,
    entryType: 'KEY_ACTIVATED' | 'KEY_RETIRED',
    members: KeyActivatedMembers | KeyRetiredMembers,
  ): Promise<ChainEntry> {
    const statement = platformStatement(this.writer.predicateBase, {
      entryType,
      at,
      requestId,
      actor,
      ...members,
    });
    const chain = { chainKey: PLATFORM_CHAIN, head, at };
    const subject = { entryType, recordId: null, orgId: null };
    const entry = await this.writer.seal(chain, statement, subject, { actor }, seal);
    await this.writer.append(stores, chain, [entry], 'no-row');
    return entry;
  }
}

const possessionOf = (hubId: string, old: Signer, next: Signer): Promise<Uint8Array> =>
  next.sign(
    possessionBytes(
      hubId,
      old.keyId,
      next.keyId,
      encodeCbor(coseKeyOf(publicKeyFromSpki(next.publicKey))),
    ),
  );

/** The row of `vault_key_statements` is the entry, byte for byte. */
const copyOf = (
  statement: KeyStatement['statement'],
  keyId: string,
  { position: chainPosition, coseSign1, at: createdAt }: ChainEntry,
): KeyStatement => ({ keyId, statement, chainPosition, coseSign1, createdAt });
