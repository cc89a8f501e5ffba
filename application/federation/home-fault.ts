import { constancyFault, transitionTaken } from '../../domain/federation/mirrored-record.ts';
import type { FederationReads } from '../../domain/federation/federation-store.port.ts';
import type { SignalMessage } from '../../domain/federation/message.ts';
import { stateOf, type PeerEntry } from '../../domain/federation/peer-chain.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { LoadRecordType } from '../record/load-record-type.ts';
import { attestationFault } from './attestation-fault.ts';
import { hiddenFault } from './carried-out.ts';
import { partiesFault } from './parties-fault.ts';
import type { PeerWords } from './peer-words.ts';
import type { SignedMessage } from './verify-message.ts';

/** What a message of home says that cannot be so, or that no operation of this hub would have taken. */
export class HomeFault {
  constructor(
    private readonly reads: Pick<FederationReads, 'outgoingOf'>,
    private readonly loadRecordType: LoadRecordType,
    private readonly words: PeerWords,
  ) {}

  /**
   * @param seen the mirror as it is committed.
   * @param entries of the message, verified as the continuation of home's chain.
   * @param offer the projection of home's first message.
   * @returns the fault in words; null where there is none.
   */
  async of(
    seen: RecordState,
    { signal, transition }: SignedMessage,
    entries: readonly PeerEntry[],
    offer: JsonObject,
  ): Promise<string | null> {
    const said =
      hiddenFault(entries) ??
      attestationFault(await this.reads.outgoingOf(seen.id), entries) ??
      (signal ? signalFault(seen, signal) : null);
    if (said || signal) return said;
    const { projection, content } = transition!;
    const predicate = stateOf(entries.at(-1)!);
    const fault =
      (content.manifest === undefined ? null : 'it brings a manifest, and is no offer') ??
      partiesFault(projection, offer) ??
      constancyFault(seen, predicate) ??
      (transitionTaken(seen, predicate)
        ? null
        : `the lifecycle knows no ${predicate.transition.action} from ${seen.status} here`);
    if (fault) return fault;
    const word = { predicate, contents: content.items };
    return this.words.fault(word, await this.loadRecordType.load(seen), seen.orgId);
  }
}

/** A signal repeats what the record was offered with. */
const signalFault = (
  { platformRef, performerAgentId }: RecordState,
  signal: SignalMessage,
): string | null => {
  if (signal.platformRef !== platformRef) return 'the signal has another platformRef';
  return signal.performerAgentId === performerAgentId ? null : 'the signal is of another performer';
};
