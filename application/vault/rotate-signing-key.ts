import type { WebhookReads } from '../../domain/delivery/webhook-store.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { ALGORITHMS, type VaultAlgorithm } from '../../domain/vault/algorithm.ts';
import type { RetirementReason } from '../../domain/vault/key-statement.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { JobLeases } from '../ports/job-leases.port.ts';
import type { CheckpointTree } from '../sealing/checkpoint-tree.ts';
import { originOf, type Origin } from '../sealing/origin.ts';
import type { ProvenEnds } from '../sealing/proven-ends.ts';
import { QuietRanges } from '../sealing/quiet-ranges.ts';
import type { SealRotation } from './seal-rotation.ts';
import type { OrgReadsRound } from '../transparency/org-reads-round.ts';
import type { Stores, UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { AnchorSweep } from './anchor-sweep.ts';
import type { CheckpointRound } from './checkpoint-round.ts';
import type { CoverInTurns } from './cover-in-turns.ts';
import type { CryptoCapabilities } from '../sealing/crypto-capabilities.port.ts';
import type { SigningKeys } from '../sealing/signing-keys.ts';
import { usableAlgorithm } from '../sealing/usable-algorithm.ts';
import type { Vault } from '../sealing/vault.ts';
import type { VaultOptions } from '../sealing/vault-options.ts';

export interface RotationResult {
  readonly previousKeyId: string;
  readonly newKeyId: string;
  readonly status: 'rotated' | 'already_active';
  /** Deliveries that wait to be signed by the algorithm of the previous key, which the new one is not of. */
  readonly unsignable?: { readonly deliveries: number; readonly was: string; readonly is: string };
}

/** Commits what a rotation ends with; a call under an Idempotency-Key keeps its answer with it. */
type Commit = (work: (stores: Stores) => Promise<RotationResult>) => Promise<RotationResult>;

const alreadyActive = (previousKeyId: string, newKeyId: string): RotationResult => ({
  previousKeyId,
  newKeyId,
  status: 'already_active',
});

/** Of two rotations at once the second one waits, and finds that there is nothing to do. */
const LEASE = 'rotate-signing-key';
const LEASE_MS = 60_000;
const RENEW_MS = 10_000;
const WAIT_MS = 30_000;

/** How long a rotation leaves the machine to the writers, ms, and then takes turns with them. */
const ROUND_MS = 5_000;
/** Walks before anything is locked for long, until so few chains grew meanwhile that nobody notices the last one. */
const MAX_WALKS = 8;
const FEW = 256;

/**
 * Retires the signing key and activates another one, while writes go on.
 *
 * The bulk of the checkpoints is made by an ordinary round, and what that leaves in turns with the writers. Then one unit of
 * work covers what grew since and seals the change, so that the root in KEY_RETIRED covers everything that the old key
 * signed, and a crash leaves the rotation whole or undone. What waits meanwhile is signed anew, by the new key.
 */
export class RotateSigningKey {
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotent: IdempotentTransaction,
    private readonly leases: JobLeases,
    private readonly signingKeys: SigningKeys,
    private readonly capabilities: CryptoCapabilities,
    private readonly vault: Vault,
    private readonly options: VaultOptions,
    private readonly round: CheckpointRound,
    private readonly inTurns: CoverInTurns,
    private readonly sealRotation: SealRotation,
    private readonly anchors: Pick<AnchorSweep, 'anchorRound'>,
    private readonly orgReads: Pick<OrgReadsRound, 'run'>,
    private readonly webhooks: Pick<WebhookReads, 'countWaiting'>,
  ) {}

  execute(
    context: CallContext,
    { reason = 'scheduled' }: { readonly reason?: RetirementReason },
  ): Promise<RotationResult> {
    return this.rotate(originOf(context), reason, (work) => this.idempotent.run(context, work));
  }

  async rotate(
    origin: Origin,
    reason: RetirementReason,
    commit: Commit = (work) => this.unitOfWork.transaction(work),
  ): Promise<RotationResult> {
    await this.vault.refreshIfRotated();
    const previousKeyId = this.vault.seal.signer.keyId;
    return this.alone(async () => {
      await this.vault.refreshIfRotated();
      const newest = this.vault.seal.signer.keyId;
      return newest === previousKeyId
        ? this.replace(origin, reason, commit)
        : commit(() => Promise.resolve(alreadyActive(previousKeyId, newest)));
    });
  }

  /** At the start: rotates to the configured signer or algorithm, where the active key is of another. */
  async reconcile(origin: Origin): Promise<RotationResult | null> {
    const { signer } = this.vault.seal;
    const isAsConfigured =
      (await this.signingKeys.isCurrent(signer)) &&
      (!this.signingKeys.areOwn || signer.algorithm === (await this.algorithm()));
    return isAsConfigured ? null : this.rotate(origin, 'scheduled');
  }

  /** Removes what a rotation left that a crash undid, unless one is under way. */
  async tidy(): Promise<void> {
    if (!(await this.leases.acquire(LEASE, LEASE_MS))) return;
    try {
      await this.unitOfWork.transaction((stores) => stores.vaultKeys.removePending());
    } finally {
      await this.leases.release(LEASE, { durationMs: 0, failure: null });
    }
  }

  private algorithm(): Promise<VaultAlgorithm> {
    return usableAlgorithm(this.options.algorithm, this.capabilities);
  }

  private async replace(
    origin: Origin,
    reason: RetirementReason,
    commit: Commit,
  ): Promise<RotationResult> {
    const previousKeyId = this.vault.seal.signer.keyId;
    const { signer: next, sealed } = await this.signingKeys.next(() => this.algorithm());
    // A key that a device holds is the active one already: another one is a change of the settings.
    if (next.keyId === previousKeyId)
      return commit(() => Promise.resolve(alreadyActive(previousKeyId, previousKeyId)));
    await this.unitOfWork.transaction(async (stores) => {
      await stores.vaultKeys.removePending();
      if (sealed) await stores.sealedKeys.insert(sealed);
      await stores.vaultKeys.insertPending(
        next,
        sealed?.createdAt ?? this.vault.seal.keyActivatedAt,
      );
    });
    const proven = this.round.nothingProven();
    const quiet = new QuietRanges();
    const prepared = await this.cover(proven, quiet);
    const unsignable = await this.unsignable(next.algorithm);
    const result = await commit(async (stores): Promise<RotationResult> => {
      const isOurs =
        this.vault.seal.signer.keyId === previousKeyId &&
        (await this.sealRotation.seal(stores, origin, { next, reason, prepared, proven, quiet }));
      if (isOurs) return { previousKeyId, newKeyId: next.keyId, status: 'rotated', ...unsignable };
      const [newest] = await stores.vaultKeys.keys();
      return alreadyActive(previousKeyId, newest?.keyId ?? previousKeyId);
    });
    await this.vault.refresh();
    // The first things that the new key signs cover what the old one left open; the round is anchored at once. Where that
    // fails, the rotation stands all the same; the jobs of the rounds run them again, and tell.
    if (result.status === 'rotated') {
      await this.round
        .run()
        .then(() => this.anchors.anchorRound())
        .catch(() => null);
      await this.orgReads.run().catch(() => null);
    }
    return result;
  }

  private async unsignable(next: VaultAlgorithm): Promise<Pick<RotationResult, 'unsignable'>> {
    const before = this.vault.seal.signer.algorithm;
    if (next === before) return {};
    const [was, is] = [ALGORITHMS[before].httpSignature, ALGORITHMS[next].httpSignature];
    const deliveries = await this.webhooks.countWaiting(was);
    return deliveries === 0 ? {} : { unsignable: { deliveries, was, is } };
  }

  /**
   * Covers what grew until it is little.
   *
   * @returns the tree over all of it.
   */
  private async cover(proven: ProvenEnds, quiet: QuietRanges): Promise<CheckpointTree> {
    await this.round.run(AbortSignal.timeout(ROUND_MS), proven);
    await this.orgReads.run();
    // Without the lease another rotation would take the new key for one that was left.
    const renew = atMostEvery(RENEW_MS, () => this.leases.acquire(LEASE, LEASE_MS));
    let tree: CheckpointTree | null = null;
    for (let walks = 1; ; walks++) {
      const covered = await this.inTurns.walk(proven, quiet, renew);
      tree = await this.round.tree(tree);
      if (covered <= FEW || walks === MAX_WALKS) return tree;
    }
  }

  /** The lease keeps other nodes out, and the turn the other calls of this one, which holds the lease already. */
  private alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(() => this.leased(work));
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  private async leased<T>(work: () => Promise<T>): Promise<T> {
    if (!(await this.leases.acquireWithin(LEASE, LEASE_MS, WAIT_MS)))
      throw new NotaryError(
        'SERVICE_UNAVAILABLE',
        'Another rotation of the signing key is under way and does not end.',
        { retryAfter: 10 },
      );
    const begun = performance.now();
    let failure: string | null = null;
    try {
      return await work();
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      throw error;
    } finally {
      const durationMs = Math.round(performance.now() - begun);
      await this.leases.release(LEASE, { durationMs, failure });
    }
  }
}

const atMostEvery = (ms: number, work: () => Promise<unknown>): (() => Promise<void>) => {
  let done = performance.now();
  return async () => {
    if (performance.now() < done + ms) return;
    await work();
    done = performance.now();
  };
};
