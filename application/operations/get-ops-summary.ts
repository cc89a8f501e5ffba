import type { AnchorSweepState } from '../../domain/vault/anchor-log.port.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import type { CheckpointReads } from '../../domain/vault/vault-store.port.ts';
import type { CallContext } from '../call/call-context.ts';
import type { RewindGuard } from '../sealing/rewind-guard.ts';
import type { Vault, VaultIdentity } from '../sealing/vault.ts';
import type { HealthReport, JudgeHealth } from './judge-health.ts';

export interface AnchoringSettings {
  readonly backend: 'filesystem' | 's3' | 'none';
  readonly intervalMinutes: number;
}

export interface OpsSummary extends HealthReport {
  readonly vault: VaultIdentity & {
    readonly algorithm: 'Ed25519' | 'ES256';
    readonly keys: number;
    readonly rewoundChains: number;
    /** Of the newest round; null before the first. */
    readonly newestCheckpointAt: string | null;
    readonly anchoring: AnchoringSettings & AnchorSweepState;
  };
}

/** The service and the posture of its vault at a glance. */
export class GetOpsSummary {
  constructor(
    private readonly judge: Pick<JudgeHealth, 'report'>,
    private readonly vault: Vault,
    private readonly checkpoints: Pick<CheckpointReads, 'newestOf'>,
    private readonly rewinds: Pick<RewindGuard, 'findings'>,
    private readonly anchoring: AnchoringSettings,
  ) {}

  async execute(_context: CallContext, _input: object): Promise<OpsSummary> {
    const report = await this.judge.report();
    const newest = report.facts && (await this.checkpoints.newestOf(PLATFORM_CHAIN));
    return {
      ...report,
      vault: {
        ...this.vault.identity,
        algorithm: this.vault.seal.signer.algorithm,
        keys: this.vault.keys.length,
        rewoundChains: new Set(this.rewinds.findings.map(({ chainKey }) => chainKey)).size,
        newestCheckpointAt: newest?.createdAt ?? null,
        anchoring: { ...this.anchoring, ...(report.facts?.anchors ?? UNKNOWN) },
      },
    };
  }
}

const UNKNOWN: AnchorSweepState = {
  lastSweepAt: null,
  lastSuccessAt: null,
  failures: 0,
  pending: 0,
  lastVerify: null,
};
