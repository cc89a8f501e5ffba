import type { JsonObject } from '../../kernel/canonical-json.ts';
import { hashJson, sha256Hex, toHex } from '../../kernel/digest.ts';
import type { Manifest } from '../../record-type/manifest.ts';
import { fingerprintOf } from '../../vault/cose-key.ts';
import { parseStatement } from '../../vault/parsed-statement.ts';
import { SignatureChecks } from '../../vault/signatures.ts';
import type { ChainRow, HubClaim } from '../chain-entry.ts';
import type { KeyRing } from '../key-ring.ts';
import type { KeyStatementRow } from '../key-material.ts';
import type { Findings } from '../report.ts';
import type { FederatedChain } from '../rules/federated-chain.ts';
import { verifyChain } from '../verify-chain.ts';
import { checkApplied } from './applied-steps.ts';
import { peerKeys } from './peer-keys.ts';
import type { ReadFederation, ReadMessage } from './read-federation.ts';
import type { FederatedSide, SentEntry, SideAttestation, SideEntry, SideMessage } from './side.ts';
import { SigningHub, type SignedBy } from './signing-hub.ts';

/** What the rest of the file says of the record and of its hub. */
export interface OwnSide {
  readonly chainKey: string;
  readonly hub: HubClaim;
  readonly ring: KeyRing;
  readonly keyStatements: readonly KeyStatementRow[];
  readonly federated: FederatedChain;
  readonly entries: readonly SideEntry[];
  readonly manifest: Manifest | null;
  readonly completeAsOf: string | null;
  /** The peer's own file is there too: it covers what the peer's retired keys signed on its chain. */
  readonly isHeldAgainstPeer: boolean;
}

/**
 * Verifies what two hubs signed for each other of a record, as one of them keeps it: each message and each answer under the
 * keys of the hub whose name it bears, the entries that the peer sent as a chain, and that this hub's own chain says the
 * same. What the peer's chain says beyond shows where its own file is there too.
 */
export const verifyFederation = async (
  read: ReadFederation,
  own: OwnSide,
  findings: Findings,
): Promise<FederatedSide> => {
  const check = new FederationCheck(read, own, findings);
  return check.run();
};

class FederationCheck {
  private readonly signatures = new SignatureChecks();
  private readonly ours: SigningHub;
  private peer: SigningHub | null = null;
  private readonly place: { readonly chainKey: string; readonly position: null };
  private readonly homeId: string;
  /** Of the peer's chain, as it was sent. */
  private readonly witnessed: ChainRow[] = [];
  private readonly seen = new Set<string>();
  private readonly ownHashes: ReadonlyMap<number, string>;
  private previous: SideMessage | null = null;

  constructor(
    private readonly read: ReadFederation,
    private readonly own: OwnSide,
    private readonly findings: Findings,
  ) {
    const { chainKey, hub, ring, federated } = own;
    this.place = { chainKey, position: null };
    this.ours = new SigningHub(hub, ring, chainKey, this.signatures, findings);
    this.homeId = federated.claim.recordId ?? chainKey;
    this.ownHashes = new Map(own.entries.map(({ position, hash }) => [position, hash]));
  }

  async run(): Promise<FederatedSide> {
    const { read, own, findings, place } = this;
    const { role, peerHubId, recordId } = own.federated.claim;
    if (read.role !== role || read.peerHubId !== peerHubId)
      this.fail('role and peerHubId are not those that the chain seals');
    if (recordId !== null && read.peerRecordId !== recordId)
      this.fail('peerRecordId is not the record of the home that the chain seals');
    const keys = read.keyStatements.length > 0 ? await peerKeys(read, place, findings) : null;
    if (keys?.hub)
      this.peer = new SigningHub(keys.hub, keys.ring, own.chainKey, this.signatures, findings);
    else if (read.keyStatements.length === 0)
      findings.cannotTell(
        'peerSide',
        'cannot tell: the file holds no key statement of the peer, so nothing shows what the peer signed',
      );
    const messages = read.statements.flatMap((one) => this.message(one) ?? []);
    this.checkAnswers(messages);
    if (this.peer) checkApplied(own, messages, this.witnessed, (detail) => this.fail(detail));
    this.tellRetired(messages);
    await this.checkWitnessed();
    await this.signatures.settled();
    const [root] = own.ring.values();
    return {
      hubId: own.hub.hubId,
      chainKey: own.chainKey,
      claim: own.federated.claim,
      peerRecordId: read.peerRecordId,
      root: root?.verifying ? fingerprintOf(root.verifying.key) : null,
      peerRoot: read.vaultRoot,
      keys: own.keyStatements.map(hashOf),
      peerKeys: read.keyStatements.map(hashOf),
      completeAsOf: own.completeAsOf,
      entries: own.entries,
      messages,
    };
  }

  private fail(detail: string): void {
    this.findings.fail(
      'payloadBinding',
      'chain',
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      this.place,
      `federation: ${detail}`,
    );
  }

  private message(row: ReadMessage): SideMessage | null {
    const { direction, sequence, coseSign1 } = row;
    const what = `statement ${sequence} ${direction === 'out' ? 'to' : 'of'} the peer`;
    const [sender, receiver] =
      direction === 'out' ? [this.ours, this.peer] : [this.peer, this.ours];
    const signed = sender?.open(coseSign1, {
      what,
      type: 'projection',
      sub: this.homeId,
      kinds: ['federation-projection', 'settlement-signal'],
    });
    if (!sender || !signed) return null;
    const { at: _at, ...payload } = signed.predicate;
    const message: SideMessage = {
      direction,
      sequence,
      hash: signed.hash,
      predicate: signed.predicate,
      payload: hashJson(payload),
      isSignal: signed.kind === 'settlement-signal',
      isDoubtful: sender.retirementOf(signed.kid) === 'compromised',
      entries: this.entries(row, what),
      attestation: receiver && this.attestation(row, receiver, sender.hub.hubId, what),
    };
    if (sender.retirementOf(signed.kid) === 'scheduled')
      this.findings.note(`a statement is signed by the key ${signed.kid}, retired on schedule`);
    this.checkOrder(message, what);
    const fault = this.faultOf(message, sender, what);
    if (fault !== null) this.fail(fault);
    return message;
  }

  /** Out before in; each sequence after the one before, or the same once more, signed anew. */
  private checkOrder(message: SideMessage, what: string): void {
    const { previous } = this;
    const { direction, sequence, payload } = message;
    this.previous = message;
    const before = previous?.direction === direction ? previous.sequence : 0;
    if (previous?.direction === 'in' && direction === 'out')
      this.fail(`${what} stands after those of the other hub`);
    else if (sequence === before && previous?.payload !== payload)
      this.fail(`${what} stands twice, with different payloads`);
    else if (sequence !== before && sequence !== before + 1)
      this.fail(`${what} stands after statement ${before}`);
  }

  private faultOf(message: SideMessage, sender: SigningHub, what: string): string | null {
    const { predicate, sequence, entries, isSignal, direction } = message;
    const other = sender === this.ours ? this.read.peerHubId : this.own.hub.hubId;
    if (
      predicate['originHubId'] !== sender.hub.hubId ||
      predicate['toHubId'] !== other ||
      predicate['sequence'] !== sequence ||
      predicate['recordId'] !== this.homeId
    )
      return `${what} is signed for another place: its hubs, sequence or record differ`;
    const isFromHome = (this.own.federated.claim.role === 'home') === (direction === 'out');
    if (isSignal && !isFromHome) return `${what} is a signal, which is for the home to give`;
    const last = entries.at(-1);
    if (!last) return `${what} came without an entry`;
    if (
      !isSignal &&
      (predicate['headHash'] !== last.hash || predicate['position'] !== last.position)
    )
      return `${what} is about another entry than the last that came with it`;
    if (direction === 'in') return null;
    const foreign = entries.find(
      ({ position, hash }) => position === null || this.ownHashes.get(position) !== hash,
    );
    return foreign
      ? `${what} brought an entry that is not the one of this chain at position ${foreign.position ?? 'unknown'}`
      : null;
  }

  /** The entries that came with a message; those of the peer are verified as one chain in the end. */
  private entries({ direction, entries }: ReadMessage, what: string): SentEntry[] {
    return entries.map((coseSign1) => {
      const row = rowOf(coseSign1);
      if (!row) this.fail(`${what} brought an entry that cannot be read`);
      else if (direction === 'in') this.witness(row);
      return {
        position: row?.position ?? null,
        hash: row?.hash ?? sha256Hex(coseSign1),
        at: row?.createdAt ?? '',
      };
    });
  }

  /** A message that was signed anew brings its entries again. */
  private witness(row: ChainRow & { readonly hash: string }): void {
    if (this.seen.has(row.hash)) return;
    this.seen.add(row.hash);
    this.witnessed.push(row);
  }

  private attestation(
    { attestation, direction, sequence }: ReadMessage,
    receiver: SigningHub,
    senderHubId: string,
    what: string,
  ): SideAttestation | null {
    if (attestation === null) return null;
    const { chainKey } = this.own;
    const theirs = this.read.peerRecordId;
    // An offer that is refused makes no record.
    const isRefusedOffer = direction === 'out' && theirs === null;
    const signed = receiver.open(attestation, {
      what: `the answer to ${what}`,
      type: isRefusedOffer ? 'projection' : 'chain-entry',
      sub: isRefusedOffer ? this.homeId : direction === 'out' ? theirs! : chainKey,
      kinds: ['counter-attestation'],
    });
    if (!signed) return null;
    this.tellRetiredAnswer(receiver, signed, what);
    const { predicate, hash, position } = signed;
    const recordId = isRefusedOffer ? this.homeId : direction === 'out' ? theirs : chainKey;
    if (
      predicate['entryType'] !== 'PEER_STATEMENT_ATTESTED' ||
      predicate['peerHubId'] !== senderHubId ||
      predicate['sequence'] !== sequence ||
      predicate['recordId'] !== recordId ||
      (isRefusedOffer && (predicate['outcome'] !== 'refused' || 'orgId' in predicate))
    )
      this.fail(`the answer to ${what} attests something else`);
    if (direction === 'in' && (position === null || this.ownHashes.get(position) !== hash))
      this.fail(`the answer to ${what} is not an entry of this chain`);
    return {
      hash,
      position,
      statementHash: String(predicate['statementHash']),
      outcome: String(predicate['outcome']),
      at: String(predicate['at']),
    };
  }

  /** Each answer is about the message that it stands beside, and each that this chain seals is here. */
  private checkAnswers(messages: readonly SideMessage[]): void {
    const hashes = hashesBySequence(messages);
    for (const { direction, sequence, attestation } of messages)
      if (attestation && !hashes.get(`${direction} ${sequence}`)?.has(attestation.statementHash))
        this.fail(`the answer to statement ${sequence} (${direction}) names other bytes`);
    const attested = this.own.entries.filter(
      ({ entryType }) => entryType === 'PEER_STATEMENT_ATTESTED',
    );
    if (!this.peer) return;
    for (const { predicate, position } of attested) {
      const known = hashes.get(`in ${String(predicate['sequence'])}`);
      if (!known?.has(String(predicate['statementHash'])))
        this.fail(`the statement that is attested at position ${position} is not in the file`);
    }
    const refused = new Set(
      messages.flatMap(({ direction, attestation }) =>
        direction === 'out' && attestation?.outcome === 'refused'
          ? [attestation.statementHash]
          : [],
      ),
    );
    for (const { entryType, predicate, position } of this.own.entries) {
      const { statementHash } = (predicate['peer'] ?? {}) as JsonObject;
      if (entryType === 'STEP_REFUSED' && !refused.has(String(statementHash)))
        this.fail(`the refusal at position ${position} is not one that the peer attested`);
    }
  }

  private tellRetired(messages: readonly SideMessage[]): void {
    const good = new Set(
      messages.flatMap(({ direction, sequence, isDoubtful }) =>
        isDoubtful ? [] : [`${direction} ${sequence}`],
      ),
    );
    for (const { direction, sequence } of messages)
      if (!good.has(`${direction} ${sequence}`))
        this.doubt(`statement ${sequence} ${direction === 'out' ? 'to' : 'of'} the peer`);
  }

  private tellRetiredAnswer(receiver: SigningHub, { kid }: SignedBy, what: string): void {
    // What stands on this hub's own chain is covered, or not, with the chain.
    if (receiver === this.ours || this.own.isHeldAgainstPeer) return;
    const reason = receiver.retirementOf(kid);
    if (reason === 'compromised') this.doubt(`the answer to ${what}`);
    if (reason === 'scheduled')
      this.findings.note(`an answer is signed by the key ${kid}, retired on schedule`);
  }

  private doubt(what: string): void {
    this.findings.cannotTell(
      'keyWindows',
      `cannot tell: ${what} is signed by a key that was retired as compromised; whoever has it may have signed this`,
    );
  }

  private async checkWitnessed(): Promise<void> {
    const { peer, witnessed, findings, own, signatures } = this;
    const { peerRecordId } = this.read;
    if (!peer || witnessed.length === 0) return;
    if (peerRecordId === null) return this.fail('entries of the peer came without a record of it');
    const retired = [...peer.ring.values()].filter(({ retiredAt }) => retiredAt !== null);
    const { keyIds } = await verifyChain(
      witnessed,
      { chainKey: peerRecordId, chainKind: 'record', area: 'chain', hub: peer.hub },
      {
        ring: peer.ring,
        signatures,
        findings,
        manifest: own.manifest,
        isPart: true,
        cover: new Map(retired.map(({ keyId }) => [keyId, { position: Infinity }])),
      },
    );
    if (own.isHeldAgainstPeer) return;
    for (const { keyId, retirement } of retired)
      if (keyIds.includes(keyId)) {
        if (retirement?.reason === 'compromised') this.doubt('an entry of the peer');
        else
          findings.note(`entries of the peer are signed by the key ${keyId}, retired on schedule`);
      }
  }
}

const hashOf = ({ coseSign1 }: KeyStatementRow): string => sha256Hex(coseSign1);

export const hashesBySequence = (
  messages: readonly SideMessage[],
): ReadonlyMap<string, ReadonlySet<string>> => {
  const hashes = new Map<string, Set<string>>();
  for (const { direction, sequence, hash } of messages) {
    const name = `${direction} ${sequence}`;
    hashes.set(name, (hashes.get(name) ?? new Set()).add(hash));
  }
  return hashes;
};

/** An entry that stands alone: what it says of itself is all that is shown of it. */
const rowOf = (coseSign1: Uint8Array): (ChainRow & { readonly hash: string }) | null => {
  try {
    const { header, statement, payload } = parseStatement(coseSign1);
    if (!header.chain || !statement) return null;
    const { entryType, at } = statement.predicate;
    return {
      position: header.chain.position,
      entryType: String(entryType),
      createdAt: String(at),
      coseSign1,
      hash: sha256Hex(coseSign1),
      previousHash: toHex(header.chain.previousHash),
      statement: payload,
    };
  } catch {
    return null;
  }
};
