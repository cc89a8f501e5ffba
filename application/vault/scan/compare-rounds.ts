import type { PlatformFacts } from '../../../domain/identity/platform-facts.ts';
import { toHex } from '../../../domain/kernel/digest.ts';
import { PLATFORM_CHAIN } from '../../../domain/vault/chain-key.ts';
import { timestampImprint } from '../../../domain/vault/timestamp.ts';
import { CborError } from '../../../domain/kernel/deterministic-cbor.ts';
import type { ChainFaults } from './scan-faults.ts';
import type { ScanLogSnapshot, StoredTimestamp } from './scan-log-snapshot.port.ts';

/** Compares what stands beside the log of checkpoints: time stamps, what was copied out, and what was acknowledged. */
export const compareRounds = async (
  snapshot: ScanLogSnapshot,
  acknowledged: Pick<PlatformFacts, 'isAcknowledged'>,
  faults: ChainFaults,
): Promise<void> => {
  for await (const page of snapshot.timestamps())
    for (const row of page)
      if (!isOfItsRound(row))
        faults.fault(
          'CHECKPOINT_ROOT_MISMATCH',
          null,
          `checkpoint_timestamps ${row.logIndex}: it is no time stamp of this round`,
        );
  for (const logIndex of await snapshot.strayAnchors())
    faults.fault(
      'CHECKPOINT_HEAD_MISMATCH',
      null,
      `anchored_checkpoints ${logIndex}: the log has another checkpoint there, or none`,
    );
  for (const { chainKey, checkpointHash } of await snapshot.acknowledgedRewinds())
    if (!acknowledged.isAcknowledged(chainKey, toHex(checkpointHash)))
      faults.drift(`rewind_findings ${chainKey}: no entry acknowledges it`);
};

/** Whether it holds what is stamped. Whose signature it is `notary verify` says, with --tsa-roots. */
const isOfItsRound = ({ token, checkpoint }: StoredTimestamp): boolean => {
  if (checkpoint?.chainKey !== PLATFORM_CHAIN) return false;
  try {
    return toHex(token).includes(toHex(timestampImprint(checkpoint.coseSign1)));
  } catch (error) {
    // A checkpoint that cannot be read was reported.
    if (error instanceof CborError) return true;
    throw error;
  }
};
