import { leafHash } from '../../transparency/rfc9162-tree.ts';
import { chainKindOf, PLATFORM_CHAIN } from '../../vault/chain-key.ts';
import type { ImmediateChecks } from '../../vault/signatures.ts';
import { SignatureChecks } from '../../vault/signatures.ts';
import type { HubClaim } from '../entry/chain-entry.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { Findings } from '../report/report.ts';
import {
  checkpointIn,
  verifyCheckpointBytes,
  type CheckpointReading,
} from '../chain/verify-checkpoint.ts';
import { linesIn, type DumpLine } from './rows/dump-lines.ts';
import { LeafPacker } from './log-leaves.ts';
import type { LogAnswer, LogTask, Round, StampedLeaf } from './log-task.ts';
import type { OrgLogHead } from './org-log-heads.ts';
import { readRow, type DumpRow } from './rows/read-dump-rows.ts';

/** Verifies the checkpoints of a part of the log, each alone. */
export class LogPart {
  private readonly findings = new Findings();
  private readonly signatures: SignatureChecks;
  private readonly leaves = new LeafPacker();
  private readonly rounds: Round[] = [];
  private readonly heads: OrgLogHead[] = [];
  private readonly stamped: StampedLeaf[] = [];

  constructor(
    private readonly hub: HubClaim | null,
    private readonly ring: KeyRing,
    private readonly places: ReadonlyMap<string, number>,
    checks: ImmediateChecks | null,
  ) {
    this.signatures = new SignatureChecks(checks);
  }

  async verify({ block }: LogTask): Promise<LogAnswer> {
    const { findings, signatures, leaves, rounds, heads, stamped } = this;
    const bytes = new Uint8Array(block.buffer, 0, block.length);
    for (const line of linesIn(bytes, block.firstLine)) {
      const row = readRow<StampedLeaf['members']>(line, 'vault_checkpoints', findings);
      if (row) this.row(row);
      else leaves.add(null);
      if (signatures.full) await signatures.room();
    }
    await signatures.settled();
    const { buffer } = block;
    const found = findings.take();
    return { kind: 'log', buffer, found, leaves: leaves.leaves, rounds, heads, stamped };
  }

  private row(row: DumpRow<StampedLeaf['members']>): void {
    const { log_index: logIndex, chain_key: chainKey, position } = row.members;
    const place = { chainKey, position };
    const context = { ring: this.ring, signatures: this.signatures, findings: this.findings };
    const reading = verifyCheckpointBytes(row.bytes, place, this.hub, context, (keyId) => {
      const retirement = this.ring.get(keyId)?.retirement ?? null;
      return retirement !== null && logIndex < retirement.treeSize;
    });
    if (reading) this.compare(row, reading);
    if (row.members.timestamp_token !== undefined) this.stamped.push(row);
    this.leaves.add({
      leafHash: leafHash(row.bytes),
      ...place,
      logIndex,
      cover: reading && {
        ...place,
        logIndex,
        headHash: reading.claim.headHash,
        at: reading.claim.at,
        key: this.places.get(reading.keyId) ?? null,
      },
    });
  }

  private compare(row: DumpRow<StampedLeaf['members']>, { claim }: CheckpointReading): void {
    const { log_index: logIndex, chain_key: chainKey, position } = row.members;
    if (claim.chainKey !== chainKey || claim.position !== position || claim.logIndex !== logIndex)
      this.findings.fail(
        'checkpoints',
        'checkpoints',
        'CHECKPOINT_HEAD_MISMATCH',
        { chainKey, position },
        `shown as the leaf ${logIndex} on position ${position} of its chain, signed as the leaf ${claim.logIndex} on position ${claim.position} of ${claim.chainKey}`,
      );
    if (claim.chainKey === PLATFORM_CHAIN) {
      const { position, at, tree } = claim;
      this.rounds.push({ index: this.leaves.size, position, at, tree });
    } else if (chainKindOf(claim.chainKey) === 'schema')
      this.heads.push({ index: this.leaves.size, chainKey, position, logIndex, tree: claim.tree });
  }
}

/** Reads what checkpoints of a part cover again; what is wrong with any of them was reported. */
export const readPartAgain = (
  { buffer, length, firstLine }: LogTask['block'],
  { from, to }: NonNullable<LogTask['again']>,
  places: ReadonlyMap<string, number>,
): LogAnswer => {
  const findings = new Findings();
  const leaves = new LeafPacker();
  const isWanted = (chainKey: string): boolean =>
    chainKey >= from && (to === null || chainKey < to);
  for (const line of linesIn(new Uint8Array(buffer, 0, length), firstLine)) {
    const seen = chainKeyAtTheFront(line);
    if (seen !== null && !isWanted(seen)) continue;
    const row = readRow<StampedLeaf['members']>(line, 'vault_checkpoints', findings);
    const reading = row && checkpointIn(row.bytes);
    if (!reading || !isWanted(row.members.chain_key)) continue;
    const { log_index: logIndex, chain_key: chainKey, position } = row.members;
    if (position === 0) continue;
    const { headHash, at } = reading.claim;
    const key = places.get(reading.keyId) ?? null;
    const leaf = { chainKey, position, logIndex };
    leaves.add({ leafHash: NO_HASH, ...leaf, cover: { ...leaf, headHash, at, key } });
  }
  const found = new Findings().take();
  return { kind: 'log', buffer, found, leaves: leaves.leaves, rounds: [], heads: [], stamped: [] };
};

const NO_HASH = new Uint8Array(32);

/** What a line says before anything else; null where that is not seen at once. */
const chainKeyAtTheFront = ({ bytes }: DumpLine): string | null =>
  bytes &&
  (/^\{"log_index":\d+,"chain_key":"([^"\\]*)"/.exec(ascii.decode(bytes.subarray(0, 96)))?.[1] ??
    null);
const ascii = new TextDecoder('latin1');
