import { bytesEqual, fromHex } from '../../domain/kernel/digest.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import type { ChainKey } from '../../domain/vault/chain-key.ts';
import { openSigned } from '../../domain/vault/checkpoint.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import type { CheckpointPredicate } from '../../domain/vault/statement.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';
import { CoveredEntries } from '../sealing/covered-entries.ts';
import type { Vault } from '../sealing/vault.ts';
import type { ConfigSource } from './config-source.port.ts';

/**
 * What the source itself would build nothing on, nobody carries over: a chain that is shorter than its newest checkpoint
 * saw it, where what ended a right may have been cut off, and one whose newest entry is by a retired key, which somebody
 * else may have by now, and is covered by no root that the retirement names.
 */
export class WholeChains {
  private readonly covered: CoveredEntries;

  constructor(
    private readonly source: Pick<ConfigSource, 'chains' | 'checkpoints' | 'trees'>,
    private readonly vault: Pick<Vault, 'keyOf' | 'retirements'>,
    private readonly ledger: Pick<PlatformLedger, 'losses'>,
  ) {
    this.covered = new CoveredEntries(vault);
  }

  /** Of a chain whose entries verify. Null: nothing is wrong with its end. */
  async faultOf(chainKey: ChainKey): Promise<string | null> {
    const newest = await this.source.chains.newest(chainKey);
    return (await this.cut(chainKey, newest)) ?? (newest && (await this.uncovered(newest)));
  }

  private async cut(chainKey: ChainKey, newest: ChainEntry | null): Promise<string | null> {
    const checkpoint = await this.source.checkpoints.newestOf(chainKey);
    if (!checkpoint) return null;
    const said = (await openSigned(checkpoint, this.vault.keyOf))?.said;
    // What is signed says where the chain ended, and not the row of it.
    if (said?.chainKey !== chainKey) return `its checkpoint ${checkpoint.logIndex} does not verify`;
    if (!contradicts(newest, said)) return null;
    const losses = await this.ledger.losses();
    if (losses.isLost(chainKey, said.position, said.at)) return null;
    return `its checkpoint ${checkpoint.logIndex} saw another entry ${said.position}, and there are ${newest?.position ?? 0}`;
  }

  private async uncovered(newest: ChainEntry): Promise<string | null> {
    const keyId = readEntry(newest.coseSign1)?.header.kid;
    if (keyId !== undefined && (await this.covered.holds(newest, keyId, this.source))) return null;
    return `entry ${newest.position} is by a retired key, and no root that its retirement names covers it`;
  }
}

const contradicts = (newest: ChainEntry | null, said: CheckpointPredicate): boolean => {
  const length = newest?.position ?? 0;
  return (
    said.position > length ||
    (said.position === length &&
      newest !== null &&
      !bytesEqual(fromHex(said.headHash), newest.hash))
  );
};
