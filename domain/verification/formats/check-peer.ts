import type { JsonObject } from '../../kernel/canonical-json.ts';
import type { Manifest } from '../../record-type/manifest.ts';
import type { RecordStatePredicate } from '../../record/record-statement.ts';
import type { AcknowledgedLoss } from '../report/acknowledged-losses.ts';
import type { ChainRow } from '../entry/chain-entry.ts';
import type { ReadAuditExport } from '../read/read-audit-export.ts';
import type { Findings } from '../report/report.ts';
import type { VerifyOptions } from './reported.ts';
import type { ChainOutcome, RecordEntryReader } from '../chain/verify-chain.ts';
import type { KeyOutcome } from '../platform/verify-keys.ts';
import { compareSides, isPeerOf } from './compare-sides.ts';
import type { SideEntry } from '../federation/federated-side.ts';
import { verifyFederation } from '../federation/verify-federation.ts';

/** Keeps what the entries of a record of two hubs say; of any other nothing, however long its chain is. */
export class SealedEntries implements RecordEntryReader {
  readonly entries: SideEntry[] = [];

  entry(_chainKey: string, row: ChainRow, predicate: RecordStatePredicate): void {
    if (this.entries.length === 0 && !predicate.terms?.federation) return;
    this.entries.push({
      position: row.position,
      hash: row.hash ?? '',
      entryType: row.entryType,
      predicate: predicate as unknown as JsonObject,
    });
  }
}

interface Known {
  readonly chain: ChainOutcome;
  readonly keys: KeyOutcome;
  readonly sealed: SealedEntries;
  readonly manifest: Manifest | null;
  readonly completeAsOf: string | null;
  readonly losses: readonly AcknowledgedLoss[];
}

/** What a file shows of the other hub of its record, alone and beside that hub's own file. */
export const checkPeer = async (
  { federation, chainKey, keyMaterial }: ReadAuditExport,
  { chain, keys, sealed, manifest, completeAsOf, losses }: Known,
  { peers, tellSide }: VerifyOptions,
  findings: Findings,
): Promise<void> => {
  const { federated } = chain;
  if ((federation === null) !== (federated === null))
    findings.fail(
      'payloadBinding',
      'chain',
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      { chainKey, position: null },
      federation
        ? 'federation is shown, and the chain says of no other hub'
        : 'the chain says of another hub, and federation is not shown',
    );
  if (!federation || !federated || !keys.hub) {
    if (peers) findings.cannotTell('peerSide', NOT_OF_TWO);
    return;
  }
  const side = await verifyFederation(
    federation,
    {
      chainKey,
      hub: keys.hub,
      ring: keys.ring,
      keyStatements: keyMaterial.keyStatements,
      federated,
      entries: sealed.entries,
      manifest,
      completeAsOf,
      losses,
      isHeldAgainstPeer: peers !== undefined || tellSide !== undefined,
    },
    findings,
  );
  tellSide?.(side);
  if (!peers) return;
  const peer = peers.find((one) => isPeerOf(side, one));
  if (peer) compareSides(side, peer, findings);
  else
    findings.cannotTell(
      'peerSide',
      `cannot tell: the other file shows nothing of this record on the hub ${federation.peerHubId}`,
    );
};

export const NOT_OF_TWO = 'cannot tell: the file shows no record of two hubs';
