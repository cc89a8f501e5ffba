import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import {
  openOrgRead,
  sealOrgRead,
  type OrgRead,
  type ReadClaim,
  type ReadsHead,
} from '../../domain/transparency/org-read.ts';
import { openOrgReadsCheckpoint } from '../../domain/transparency/org-reads-checkpoint.ts';
import type { OrgReadsLeaves } from '../../domain/transparency/org-reads-store.port.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';
import { DuplicateError, type UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';
import { assertReachesCovered, readsBroken } from './reads-broken.ts';

interface Parts {
  readonly unitOfWork: UnitOfWork;
  readonly reads: OrgReadsLeaves;
  readonly vault: Vault;
  readonly platform: Pick<PlatformLedger, 'recentFacts'>;
  readonly clock: Clock;
}

interface Waiting {
  readonly claim: ReadClaim;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Leaves in one commit. Each is signed after the one before, so a longer batch would make its first reads wait. */
const MAX_BATCH = 64;

/** Appends that another node may win. After the first one the log is locked, for as long as the other may be at it. */
const MAX_TRIES = 8;
const LOCKING_MS = 1_000;

/**
 * The log of one org. What arrives while a commit is under way shares the next one. Where this process wrote the newest
 * leaf, a commit is one insert and nothing is read: the index is unique, so where another node was faster the batch is
 * built again on what that one wrote.
 */
export class OrgReadsLane {
  private readonly waiting: Waiting[] = [];
  private isWriting = false;
  /** Undefined: to be looked up. */
  private head: ReadsHead | null | undefined;
  private lockUntil = 0;

  constructor(
    private readonly orgId: Uuid,
    private readonly parts: Parts,
  ) {}

  get isIdle(): boolean {
    return !this.isWriting;
  }

  append(claim: ReadClaim): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ claim, resolve, reject });
      if (!this.isWriting) void this.write();
    });
  }

  private async write(): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MAX_BATCH);
      try {
        await this.commit(batch.map(({ claim }) => claim));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.isWriting = false;
  }

  private async commit(claims: readonly ReadClaim[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      const head = this.head;
      // Whatever happens: unless it is known to have been written, it is looked up.
      this.head = undefined;
      try {
        this.head = await (this.now() < this.lockUntil
          ? this.appendLocked(claims)
          : this.appendAfter(
              head === undefined ? await this.found(this.parts.reads) : head,
              claims,
            ));
        return;
      } catch (error) {
        if (!(error instanceof DuplicateError) || tries >= MAX_TRIES) throw error;
        this.lockUntil = this.now() + LOCKING_MS;
      }
    }
  }

  private now(): number {
    return this.parts.clock.now().getTime();
  }

  private appendAfter(head: ReadsHead | null, claims: readonly ReadClaim[]): Promise<ReadsHead> {
    return this.parts.unitOfWork.transaction(async ({ orgReads }) => {
      const reads = await this.seal(head, claims);
      for (const read of reads) await orgReads.insert(read);
      return reads.at(-1)!;
    });
  }

  private appendLocked(claims: readonly ReadClaim[]): Promise<ReadsHead> {
    return this.parts.unitOfWork.transaction(async ({ orgReads }) => {
      await orgReads.lock(this.orgId);
      const reads = await this.seal(await this.found(orgReads), claims);
      for (const read of reads) await orgReads.insert(read);
      return reads.at(-1)!;
    });
  }

  private async seal(
    head: ReadsHead | null,
    claims: readonly ReadClaim[],
  ): Promise<readonly OrgRead[]> {
    const { vault, clock } = this.parts;
    const { seal, hub } = vault;
    const sealed: OrgRead[] = [];
    for (const claim of claims) {
      const before = sealed.at(-1) ?? head;
      sealed.push(
        await sealOrgRead(seal, hub.predicateBase, this.orgId, before, claim, clock.now()),
      );
    }
    return sealed;
  }

  /** The newest leaf, verified: it is no older one that somebody left in its place, and no retired key put it there. */
  private async found(leaves: OrgReadsLeaves): Promise<ReadsHead | null> {
    const { orgId } = this;
    const { vault, platform } = this.parts;
    const covered = (await platform.recentFacts()).coveredReadsOf(orgId);
    // Read first: a leaf that is added meanwhile is no contradiction.
    const checkpoint = await leaves.newestCheckpoint(orgId, vault.seal.signer.keyId);
    const newest = await leaves.newest(orgId);
    if (checkpoint && !(await openOrgReadsCheckpoint(checkpoint, vault.keyOf)))
      throw readsBroken(orgId, `its checkpoint at ${checkpoint.treeSize} leaves does not verify`);
    const signed = checkpoint?.treeSize ?? 0;
    const leafCount = newest ? newest.leafIndex + 1 : 0;
    if (leafCount < signed)
      throw readsBroken(orgId, `it has ${leafCount} leaves, and had ${signed} at its checkpoint`);
    if (covered) assertReachesCovered(covered, newest);
    if (!newest) return null;
    const said = await openOrgRead(newest, vault.keyOf);
    if (!said || (vault.retirements.has(newest.signingKeyId) && leafCount > signed))
      throw readsBroken(orgId, `its leaf ${newest.leafIndex} does not verify`);
    return newest;
  }
}
