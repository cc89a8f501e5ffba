import type { OutgoingMessage } from '../../domain/federation/federation-store.port.ts';
import type { PeerEntry } from '../../domain/federation/peer-chain.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { RecordStatePredicate } from '../../domain/record/record-statement.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { stepDepartures } from '../../domain/record/step-answer.ts';
import { isBeside } from '../../domain/vault/entry-type.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

/** Home says what cannot be so. Nothing more of it is believed. */
export class BrokenWord extends Error {
  override readonly name = 'BrokenWord';
}

/**
 * The step of the mirror that home's entry carries out. Home speaks for the principal and for itself: what the performer
 * did, only the performer's own side can have asked for.
 *
 * @param record the mirror, locked.
 * @param ack of home's message: the mirror's highest sequence that home applied.
 * @returns the statement of the step; null of what home did by itself.
 * @throws BrokenWord where home claims an act that nobody here offered, or another one than was offered.
 */
export const carriedOut = async (
  stores: Stores,
  record: RecordState,
  predicate: RecordStatePredicate,
  ack: number,
): Promise<string | null> => {
  const { pendingStep, sent } = record.federation!;
  if (ack > sent) throw new BrokenWord('it acknowledges what nobody sent');
  const { action } = predicate.transition;
  const ends = pendingStep !== null && ack >= pendingStep.sequence;
  const isOfPerformer = predicate.actor.kind === 'peer';
  if (!isOfPerformer && !ends) return null;
  if (!isOfPerformer)
    throw new BrokenWord(`it acknowledges a step, and ${action} is not of the performer`);
  if (!ends)
    throw new BrokenWord(`it says that the performer did ${action}, who offered no such step`);
  const step = await stores.federation.outgoing(record.id, pendingStep.sequence);
  const differing = stepDepartures(
    await offeredBy(stores, record, step),
    predicate as unknown as JsonObject,
  );
  if (differing.length > 0)
    throw new BrokenWord(`it carries out another step than was offered (${differing.join(', ')})`);
  return step!.statementHash;
};

const offeredBy = async (
  stores: Stores,
  record: RecordState,
  step: OutgoingMessage | null,
): Promise<JsonObject> => {
  const entry = step && (await stores.chains.entryAt(record.id, step.position));
  const predicate = entry && readEntry(entry.coseSign1)?.predicate;
  if (!predicate) throw payloadDrift(record.id, 'the step that waits for home');
  return predicate;
};

/** What home did before the newest of its entries came with a message of its own. Null: nothing is hidden. */
export const hiddenFault = (entries: readonly PeerEntry[]): string | null => {
  const hidden = entries.slice(0, -1).find(({ entryType }) => !isBeside(entryType));
  return hidden ? `it holds an entry ${hidden.entryType} that came with no statement` : null;
};
