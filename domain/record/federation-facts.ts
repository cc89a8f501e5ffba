import { openingFacts } from './federated-record.ts';
import { isObject, type JsonObject, type JsonValue } from '../kernel/canonical-json.ts';
import type { EntryFacts } from './entry-facts.ts';
import type { RecordFacts } from './record-facts.ts';

/** What the federated half of a record is after one more entry of its chain. */
export const federationAfter = (before: JsonValue, entry: EntryFacts): JsonValue => {
  if (isObject(entry.terms?.federation)) return openingFacts(entry.terms.federation);
  if (!isObject(before)) return null;
  switch (entry.beside) {
    case 'STEP_OFFERED':
      return { ...before, sent: count(before, 'sent') + 1 };
    case 'STEP_REFUSED':
      return { ...before, refusedSteps: count(before, 'refusedSteps') + 1 };
    case 'PEER_STATEMENT_ATTESTED':
      return attested(before, entry);
    case 'PEER_EQUIVOCATION':
      return before;
    case 'RECORD_DETACHED':
      return { ...before, detached: isObject(entry.peer) ? (entry.peer['reason'] ?? null) : null };
    case null:
      // The peer never had a record whose offer it refused: nothing more is told to it.
      return before['role'] === 'home' && isOfferRefusal(entry)
        ? { ...before, detached: 'offer_refused' }
        : toldAfter(before);
  }
};

const attested = (before: JsonObject, { sequence, outcome }: EntryFacts): JsonObject => {
  const received = Math.max(count(before, 'received'), Number(sequence));
  return outcome === 'applied'
    ? { ...before, received, applied: received }
    : { ...before, received };
};

/** Home tells its peer of each entry, until the record is detached. */
export const toldAfter = (before: JsonValue): JsonValue =>
  isObject(before) && before['role'] === 'home' && before['detached'] === null
    ? { ...before, sent: count(before, 'sent') + 1 }
    : before;

/**
 * The step that waits for home: it ends where home refuses it, or where the mirror's entry names it as what home carried
 * out. The same action may be another's: the principal cancels while the performer asks for it.
 */
export const pendingAfter = (known: RecordFacts, entry: EntryFacts): JsonValue => {
  // A record that is detached waits for nothing.
  if (entry.beside === 'STEP_REFUSED' || entry.beside === 'RECORD_DETACHED') return null;
  if (entry.beside !== 'STEP_OFFERED') {
    const ends = entry.beside === null && isObject(entry.peer);
    return ends ? null : known.pendingStep;
  }
  const sent = isObject(known.federation) ? count(known.federation, 'sent') : 0;
  return { action: entry.transition?.action ?? null, sequence: sent + 1, since: entry.at };
};

const isOfferRefusal = ({ entryType, peer }: EntryFacts): boolean =>
  entryType === 'PROPOSAL_REJECTED' && isObject(peer) && peer['statementHash'] !== undefined;

const count = (facts: JsonObject, name: string): number => Number(facts[name] ?? 0);
