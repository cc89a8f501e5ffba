import { isObject } from '../../kernel/canonical-json.ts';
import { FEDERATION_ENTRY_TYPES } from '../../vault/entry-type.ts';
import type { SideMessage } from './federated-side.ts';
import type { OwnSide } from './own-side.ts';

/**
 * What a file must hold of the statements to the peer, and does not. The list is signed by nobody, so whoever hands a file
 * on may shorten it; the chain shows of which entries the peer was told.
 */
export const missingOf = (
  { federated, entries }: Pick<OwnSide, 'federated' | 'entries'>,
  messages: readonly SideMessage[],
): string | null => {
  const out = messages.filter(({ direction }) => direction === 'out');
  const heads = new Set(out.map((message) => message.entries.at(-1)?.hash));
  const isHome = federated.claim.role === 'home';
  for (const { entryType, hash, position, predicate } of entries) {
    // From here on the peer is told nothing.
    if (entryType === 'RECORD_DETACHED' || (isHome && isObject(predicate['peer']))) break;
    const isTold = isHome ? !UNTOLD.has(entryType) : entryType === 'STEP_OFFERED';
    if (isTold && !heads.has(hash))
      return `no statement tells the peer of the entry at position ${position}`;
  }
  return holeIn(out);
};

/** Each statement brings the entries since the one before; one that was signed anew brings the same again. */
const holeIn = (out: readonly SideMessage[]): string | null => {
  let [before, next, sequence] = [1, 1, 0];
  for (const message of out) {
    if (message.sequence !== sequence) before = next;
    sequence = message.sequence;
    for (const [index, { position }] of message.entries.entries())
      if (position !== before + index)
        return `statement ${sequence} to the peer lacks entries that were sent with it`;
    next = before + message.entries.length;
  }
  return null;
};

/** Children and what the hubs attest to each other travel with the next message. */
const UNTOLD: ReadonlySet<string> = new Set([
  ...FEDERATION_ENTRY_TYPES,
  'CHILD_DELEGATED',
  'CASCADE_VERIFIED',
]);
