import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { schemaChain } from '../../domain/vault/chain-key.ts';
import {
  openCheckpoint,
  treeOf,
  type Checkpoint,
  type TreeHead,
} from '../../domain/vault/checkpoint.ts';
import type { CheckpointReads } from '../../domain/vault/vault-store.port.ts';
import type { CallContext } from '../call/call-context.ts';
import type { SealCheckpoint } from '../sealing/seal-checkpoint.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';
import type { CoverLogs } from './cover-logs.ts';
import { orgLogBroken } from './org-log-broken.ts';
import type { OrgLogs } from './org-logs.ts';
import { ownLog } from './own-log.ts';

export interface SignedLogHead {
  readonly orgId: Uuid;
  readonly checkpoint: Checkpoint;
  readonly tree: TreeHead;
}

/** The newest signed head of the log of the org: the checkpoint of its schema chain. One is made where there is none yet. */
export class GetLogHead {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly checkpoints: Pick<CheckpointReads, 'newestOf'>,
    private readonly cover: CoverLogs,
    private readonly logs: Pick<OrgLogs, 'forCaller'>,
    private readonly seals: SealCheckpoint,
    private readonly vault: Pick<Vault, 'keyOf'>,
    private readonly clock: Clock,
  ) {}

  /** @throws ORG_REQUIRED; CONFLICT with reason log_broken. */
  async execute(context: CallContext): Promise<SignedLogHead> {
    const orgId = ownLog(context.caller);
    return (await this.newest(orgId)) ?? (await this.first(orgId, context));
  }

  private async newest(orgId: Uuid): Promise<SignedLogHead | null> {
    const checkpoint = await this.checkpoints.newestOf(schemaChain(orgId));
    if (!checkpoint) return null;
    const said = await openCheckpoint(checkpoint, this.vault.keyOf);
    if (!said) throw orgLogBroken(`the checkpoint ${checkpoint.logIndex} does not verify`);
    const tree = treeOf(said);
    return tree && { orgId, checkpoint, tree };
  }

  private async first(orgId: Uuid, call: CallContext): Promise<SignedLogHead> {
    await this.logs.forCaller(orgId);
    return this.unitOfWork.transaction(async (stores) => {
      const { head, tree } = await this.cover.ofOrg(stores, orgId);
      const at = this.clock.now().toISOString();
      const checkpoint = await this.seals.seal(stores, { head, tree }, at);
      return { orgId, checkpoint, tree };
    }, call);
  }
}
