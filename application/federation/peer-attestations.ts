import {
  isStatementOf,
  type OutgoingMessage,
} from '../../domain/federation/federation-store.port.ts';
import type { PeerAnswer, PeerRefusal } from '../../domain/federation/message.ts';
import {
  openPeerStatement,
  payloadHashOf,
  type KeyFinder,
  type OpenedStatement,
} from '../../domain/federation/peer-statement.ts';
import type { Peer } from '../../domain/federation/peer.ts';
import type { OrgReads } from '../../domain/identity/identity-store.port.ts';
import { decodeBase64Strict } from '../../domain/kernel/base64.ts';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { sha256Hex } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { isUuid, type Uuid } from '../../domain/kernel/ids.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { RecordReads } from '../../domain/record/record-store.port.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { isAnswer } from '../../domain/verification/entry/told-statement.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';
import type { LaneHead } from '../sharing/outgoing.port.ts';
import type { PeerVaultKeys } from './peer-vault-keys.ts';

/** An attestation that the peer signed. */
export interface Attested {
  readonly attestation: Uint8Array;
  readonly opened: OpenedStatement;
  /** Whether it answers the offer of a record of this hub. */
  readonly isOffer: boolean;
  /** Whether it stands on a chain of the peer. */
  readonly isOfChain: boolean;
}

/** Verifies what a peer attests in an answer: that it signed it, and that it is about the message. */
export class PeerAttestations {
  constructor(
    private readonly records: Pick<RecordReads, 'find'>,
    private readonly orgs: Pick<OrgReads, 'find'>,
    private readonly keys: Pick<PeerVaultKeys, 'find'>,
    private readonly vault: Vault,
  ) {}

  /**
   * @param record of the message.
   * @param from the peer as it was when the message was sent to it.
   * @throws NotaryError UNPROCESSABLE with reason unattested where it does not verify.
   */
  async opened(
    record: RecordState,
    message: LaneHead,
    answer: PeerAnswer | PeerRefusal,
    from?: Pick<Peer, 'vaultRoot'>,
  ): Promise<Attested> {
    const attestation = decodeBase64Strict(answer.attestation);
    if (!attestation) throw unattested('it is no base64');
    const isOfChain = readEntry(attestation)?.header.chain !== undefined;
    const isOffer = record.federation?.role === 'home' && message.sequence === 1;
    // An offer that is refused makes no record, so there is no chain for the refusal to stand on.
    const isRefusedOffer = isOffer && answer.outcome === 'refused';
    if (!isOfChain && !isRefusedOffer) throw unattested('it stands on no chain');
    if (isOfChain && isRefusedOffer) throw unattested('it stands on a chain');
    const find = (kid: string) => this.keys.find(message.peerHubId, kid, from?.vaultRoot);
    const expected = {
      hubId: message.peerHubId,
      typ: isOfChain ? 'chain-entry' : 'projection',
      kind: 'counter-attestation',
      sub: isOfChain ? null : message.recordId,
    } as const;
    const takes = (await isConfirmed(attestation, answer, message, find))
      ? 'compromised'
      : 'retired';
    const opened = await openPeerStatement(attestation, { ...expected, takes }, find);
    if (typeof opened === 'string') throw unattested(opened);
    if (isOffer && isOfChain) await this.assertForeign(opened.predicate);
    return { attestation, opened, isOffer, isOfChain };
  }

  /** Names this very statement, and this hub as its peer. @throws NotaryError as `opened` does. */
  async assertAbout(
    stores: Stores,
    record: RecordState,
    message: OutgoingMessage,
    { outcome }: PeerAnswer | PeerRefusal,
    { predicate, parsed }: OpenedStatement,
  ): Promise<void> {
    const federation = record.federation!;
    if (!isAnswer(predicate))
      throw unattested('it attests something else than what came of the message');
    if (!isStatementOf(message, predicate['statementHash']))
      throw unattested('it names another statement');
    if (predicate['sequence'] !== message.sequence) throw unattested('it names another sequence');
    if (predicate['peerHubId'] !== this.vault.hub.hubId)
      throw unattested('it names another hub as the sender');
    if (outcome !== 'stale' && predicate['outcome'] !== outcome)
      throw unattested('it says another outcome than the answer');
    const isOfChain = parsed.header.chain !== undefined;
    const peersId = federation.recordId ?? (await peersRecordId(stores, record));
    if (
      isOfChain &&
      (predicate['recordId'] !== parsed.header.sub ||
        parsed.header.chain?.chainKey !== parsed.header.sub)
    )
      throw unattested('it stands on the chain of another record');
    if (isOfChain && peersId !== null && predicate['recordId'] !== peersId)
      throw unattested('it is about another record of the peer');
    if (!isOfChain && (predicate['recordId'] !== record.id || 'orgId' in predicate))
      throw unattested('it is about another record');
  }

  /** The mirror is a record of another hub, and of an org there: neither is one of this hub. */
  private async assertForeign({ orgId, recordId }: JsonObject): Promise<void> {
    if (!isId(orgId) || !isId(recordId)) throw unattested('it names no record of an org');
    if (await this.orgs.find(orgId)) throw unattested('it names an org of this hub');
    if (await this.records.find(recordId)) throw unattested('it names a record of this hub');
  }
}

export const unattested = (detail: string): NotaryError =>
  new NotaryError('UNPROCESSABLE', `The attestation of the peer does not verify: ${detail}.`, {
    reason: 'unattested',
  });

/**
 * What a peer attested is not signed anew. Of an answer that got lost before its key was retired as compromised, the active key
 * of the peer says that the attestation is its own.
 */
const isConfirmed = async (
  attestation: Uint8Array,
  { confirmation }: PeerAnswer | PeerRefusal,
  { peerHubId }: LaneHead,
  find: KeyFinder,
): Promise<boolean> => {
  const bytes = confirmation === undefined ? null : decodeBase64Strict(confirmation);
  const attested = bytes && readEntry(attestation);
  if (!attested) return false;
  const opened = await openPeerStatement(
    bytes,
    {
      hubId: peerHubId,
      typ: 'projection',
      kind: 'counter-attestation',
      sub: attested.header.sub,
      takes: 'active',
    },
    find,
  );
  if (typeof opened === 'string') return false;
  const { statementHash } = attested.predicate;
  return (
    opened.subjectDigest === sha256Hex(attestation) &&
    payloadHashOf({ ...opened.predicate, statementHash: statementHash! }) ===
      payloadHashOf(attested.predicate)
  );
};

/** The peer's id of the record, as its first attestation says. */
const peersRecordId = async (stores: Stores, record: RecordState): Promise<string | null> => {
  const first = await stores.federation.outgoing(record.id, 1);
  const said = first?.answer && readEntry(first.answer.attestation)?.predicate['recordId'];
  return typeof said === 'string' ? said : null;
};

const isId = (value: JsonValue | undefined): value is Uuid =>
  typeof value === 'string' && isUuid(value);
