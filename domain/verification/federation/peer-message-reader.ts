import { isObject, type JsonObject } from '../../kernel/canonical-json.ts';
import { hashJson, sha256Hex, toHex } from '../../kernel/digest.ts';
import { repeatsSignal } from '../../record/repeated-signal.ts';
import { parseStatement } from '../../vault/parsed-statement.ts';
import type { ChainRow } from '../entry/chain-entry.ts';
import type { ReadMessage } from '../read/read-federation.ts';
import type { SentEntry, SideAttestation, SideEntry, SideMessage } from './federated-side.ts';
import type { SignedBy, SigningHub } from '../platform/signing-hub.ts';
import { isSecondStatement } from './peer-equivocations.ts';
import type { OwnSide } from './own-side.ts';
import { isAnswer } from '../entry/told-statement.ts';

export interface MessageParts {
  readonly own: OwnSide;
  readonly peerHubId: string;
  readonly peerRecordId: string | null;
  readonly ours: SigningHub;
  /** Null where its keys are not known; what it signed is passed over then. */
  readonly peer: SigningHub | null;
  readonly homeId: string;
  /** Index of the last message of the peer that was applied; what it sent after was refused. */
  readonly lastApplied: number;
  readonly fail: (detail: string) => void;
  /** Nothing shows who signed it. */
  readonly doubt: (what: string) => void;
  readonly note: (text: string) => void;
}

/** Reads the messages of a file in their order: each under the keys of its sender, each answer under those of its receiver. */
export class MessageReader {
  /** The peer's entries, as they came. */
  readonly witnessed: ChainRow[] = [];
  /** Those that came after the last message that was applied; they may be anything. */
  readonly refused: ChainRow[] = [];
  private readonly seen = new Map<string, ChainRow>();
  private readonly chain: ReadonlyMap<number, SideEntry>;
  private previous: SideMessage | null = null;
  /** Sequences of which a second statement was read. */
  private readonly seconds = new Set<number>();

  constructor(private readonly parts: MessageParts) {
    this.chain = new Map(parts.own.entries.map((one) => [one.position, one]));
  }

  /** Null where the statement cannot be read; that, and whatever is wrong, is reported. */
  message(row: ReadMessage, index: number): SideMessage | null {
    const { direction, sequence, coseSign1 } = row;
    const what = `statement ${sequence} ${direction === 'out' ? 'to' : 'of'} the peer`;
    const [sender, receiver] =
      direction === 'out' ? [this.parts.ours, this.parts.peer] : [this.parts.peer, this.parts.ours];
    const signed = sender?.open(coseSign1, {
      what,
      type: 'projection',
      sub: this.parts.homeId,
      kinds: ['federation-projection', 'settlement-signal'],
    });
    if (!sender || !signed) return null;
    const { at: _at, ...payload } = signed.predicate;
    const isSecond = isSecondStatement(row);
    const isRefused = isSecond || (direction === 'in' && index > this.parts.lastApplied);
    const message: SideMessage = {
      direction,
      sequence,
      hash: signed.hash,
      predicate: signed.predicate,
      payload: hashJson(payload),
      isSignal: signed.kind === 'settlement-signal',
      isDoubtful: sender.retirementOf(signed.kid) === 'compromised',
      isSecond,
      entries: this.entries(row, what, isRefused),
      attestation: receiver && this.attestation(row, receiver, sender.hub.hubId, what),
    };
    if (sender.retirementOf(signed.kid) === 'scheduled')
      this.parts.note(`a statement is signed by the key ${signed.kid}, retired on schedule`);
    this.checkOrder(message, what);
    const fault = this.faultOf(message, sender, what, isRefused);
    if (fault !== null) this.parts.fail(fault);
    return message;
  }

  /** Out before in; each sequence after the one before, or the same once more: signed anew, or the second of two. */
  private checkOrder(message: SideMessage, what: string): void {
    const { previous } = this;
    const { direction, sequence, payload } = message;
    if (message.isSecond) {
      if (previous?.direction !== 'in' || previous.sequence !== sequence)
        this.parts.fail(`the second ${what} stands without the first`);
      else if (previous.payload === payload)
        this.parts.fail(`the second ${what} says the same as the first`);
      if (this.seconds.has(sequence)) this.parts.fail(`the second ${what} stands twice`);
      this.seconds.add(sequence);
      return;
    }
    this.previous = message;
    const before = previous?.direction === direction ? previous.sequence : 0;
    if (previous?.direction === 'in' && direction === 'out')
      this.parts.fail(`${what} stands after those of the other hub`);
    else if (sequence === before && previous?.payload !== payload)
      this.parts.fail(`${what} stands twice, with different payloads`);
    else if (sequence !== before && sequence !== before + 1)
      this.parts.fail(`${what} stands after statement ${before}`);
  }

  private faultOf(
    message: SideMessage,
    sender: SigningHub,
    what: string,
    isRefused: boolean,
  ): string | null {
    const { predicate, sequence, entries, isSignal, direction } = message;
    const other = sender === this.parts.ours ? this.parts.peerHubId : this.parts.own.hub.hubId;
    if (
      predicate['originHubId'] !== sender.hub.hubId ||
      predicate['toHubId'] !== other ||
      predicate['sequence'] !== sequence ||
      predicate['recordId'] !== this.parts.homeId
    )
      return `${what} is signed for another place: its hubs, sequence or record differ`;
    if (message.isSecond && entries.length > 0)
      return `the second ${what} brings entries, and none are kept of it`;
    // What is wrong with it beyond its place is why it was refused.
    if (isRefused) return null;
    const isFromHome = (this.parts.own.federated.claim.role === 'home') === (direction === 'out');
    if (isSignal && !isFromHome) return `${what} is a signal, which is for the home to give`;
    const last = entries.at(-1);
    if (!last) return `${what} came without an entry`;
    if (
      !isSignal &&
      (predicate['headHash'] !== last.hash || predicate['position'] !== last.position)
    )
      return `${what} is about another entry than the last that came with it`;
    if (isSignal && !repeatsSealed(predicate, this.sealed(last)))
      return `${what} does not repeat the signal that came with it`;
    if (direction === 'in') return null;
    const foreign = entries.find(
      ({ position, hash }) => position === null || this.chain.get(position)?.hash !== hash,
    );
    return foreign
      ? `${what} brought an entry that is not the one of this chain at position ${foreign.position ?? 'unknown'}`
      : null;
  }

  /** What an entry that came with a message says, on whichever chain it stands. */
  private sealed({ position, hash }: SentEntry): JsonObject | null {
    const own = this.chain.get(position ?? 0);
    if (own?.hash === hash) return own.predicate;
    const statement = this.seen.get(hash)?.statement;
    const predicate = isObject(statement) ? statement['predicate'] : undefined;
    return isObject(predicate) ? predicate : null;
  }

  /** The entries that came with a message; those of the peer are verified as one chain in the end. */
  private entries(
    { direction, entries }: ReadMessage,
    what: string,
    isRefused: boolean,
  ): SentEntry[] {
    const fault = `${what} brought an entry that cannot be read`;
    return entries.map((coseSign1) => {
      const row = rowOf(coseSign1);
      if (!row && isRefused) this.parts.note(`${fault}, and was refused here`);
      else if (!row) this.parts.fail(fault);
      else if (direction === 'in') this.witness(row, isRefused);
      return {
        position: row?.position ?? null,
        hash: row?.hash ?? sha256Hex(coseSign1),
        at: row?.createdAt ?? '',
      };
    });
  }

  /** A message that was signed anew brings its entries again. */
  private witness(row: ChainRow & { readonly hash: string }, isRefused: boolean): void {
    if (this.seen.has(row.hash)) return;
    this.seen.set(row.hash, row);
    (isRefused ? this.refused : this.witnessed).push(row);
  }

  private attestation(
    { attestation, direction, sequence }: ReadMessage,
    receiver: SigningHub,
    senderHubId: string,
    what: string,
  ): SideAttestation | null {
    if (attestation === null) return null;
    const { chainKey } = this.parts.own;
    const theirs = this.parts.peerRecordId;
    // An offer that is refused makes no record.
    const isRefusedOffer = direction === 'out' && theirs === null;
    const signed = receiver.open(attestation, {
      what: `the answer to ${what}`,
      type: isRefusedOffer ? 'projection' : 'chain-entry',
      sub: isRefusedOffer ? this.parts.homeId : direction === 'out' ? theirs! : chainKey,
      kinds: ['counter-attestation'],
    });
    if (!signed) return null;
    this.tellRetiredAnswer(receiver, signed, what);
    const { predicate, hash, position } = signed;
    const recordId = isRefusedOffer ? this.parts.homeId : direction === 'out' ? theirs : chainKey;
    if (
      !isAnswer(predicate) ||
      predicate['peerHubId'] !== senderHubId ||
      predicate['sequence'] !== sequence ||
      predicate['recordId'] !== recordId ||
      (isRefusedOffer && (predicate['outcome'] !== 'refused' || 'orgId' in predicate))
    )
      this.parts.fail(`the answer to ${what} attests something else`);
    if (direction === 'out' && predicate['entryType'] === 'PEER_EQUIVOCATION')
      this.parts.note(`its receiver says that another statement bears the sequence of ${what}`);
    if (direction === 'in' && (position === null || this.chain.get(position)?.hash !== hash))
      this.parts.fail(`the answer to ${what} is not an entry of this chain`);
    return {
      hash,
      position,
      statementHash: String(predicate['statementHash']),
      outcome: String(predicate['outcome']),
      at: String(predicate['at']),
    };
  }

  private tellRetiredAnswer(receiver: SigningHub, { kid }: SignedBy, what: string): void {
    // What stands on this hub's own chain is covered, or not, with the chain.
    if (receiver === this.parts.ours || this.parts.own.isHeldAgainstPeer) return;
    const reason = receiver.retirementOf(kid);
    if (reason === 'compromised') this.parts.doubt(`the answer to ${what}`);
    if (reason === 'scheduled')
      this.parts.note(`an answer is signed by the key ${kid}, retired on schedule`);
  }
}

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

const repeatsSealed = (signal: JsonObject, sealed: JsonObject | null): boolean =>
  sealed !== null && repeatsSignal(signal, sealed);
