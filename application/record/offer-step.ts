import { OWN_OF_MIRROR, stepObstacle } from '../../domain/record/federated-record.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { RecordChange } from '../../domain/record/record-change.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import type { AppliedChange } from './apply-change.ts';
import type { LockedRecord } from './locked-record.ts';
import type { Origin } from '../sealing/origin.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { AwaitedStep } from '../sharing/await-home.ts';
import type { SealBeside } from '../sharing/seal-beside.ts';
import type { TellPeer } from '../sharing/tell-peer.ts';

/** What it asks of home. The principal's acts, and what the service decides, happen there. */
const STEPS: ReadonlySet<string> = new Set([
  'accept',
  'accept-counter',
  'reject',
  'counter-propose',
  'submit-completion',
  'cancel',
  'open-dispute',
  'submit-dispute-evidence',
  'escalate-dispute',
  'resolve-dispute',
  'withdraw-dispute',
  'add-reference',
]);

/** A step that was offered, for whoever waits for home. */
export interface OfferedStep extends AwaitedStep {
  readonly change: RecordChange;
}

/** Turns what the performer's side decided on a mirror into a step that home is asked for. */
export class OfferStep {
  constructor(
    private readonly sealBeside: SealBeside,
    private readonly tellPeer: TellPeer,
  ) {}

  /** Whether the change is the mirror's own to make. */
  isOwn(change: RecordChange): boolean {
    return OWN_OF_MIRROR.has(change.transition.action);
  }

  /** Seals the step and queues it. The state of the record stays as it is. */
  async offer(
    { stores, record, chain }: LockedRecord,
    origin: Origin,
    change: RecordChange,
  ): Promise<AppliedChange & { readonly offered: OfferedStep }> {
    const { state } = record;
    await assertWaits(stores, state);
    assertMayOffer(state, change);
    const { record: after, entry } = await this.sealBeside.stepOffered(
      stores,
      chain,
      origin,
      state,
      change,
    );
    const { sequence } = await this.tellPeer.stepOffered(stores, after, change, entry);
    return {
      change: { ...change, after },
      entry,
      offered: { peerHubId: state.federation!.peerHubId, recordId: state.id, sequence, change },
    };
  }

  /**
   * What became of a step that no longer waits: the change as it stands now.
   *
   * @throws UNPROCESSABLE with home's code where it was refused.
   */
  async outcome(
    stores: Stores,
    { recordId, sequence, change }: OfferedStep,
  ): Promise<AppliedChange> {
    const found = await stores.records.lock(recordId);
    const entry = await stores.chains.headEntry(recordId);
    const message = await stores.federation.outgoing(recordId, sequence);
    if (!found || !entry || !message) throw payloadDrift(recordId, 'the step that was offered');
    const { record } = found;
    if (message.answer?.outcome === 'refused')
      throw refusedByHome(record, change, message.answer.attestation);
    const completion = change.completion && (await stores.completions.find(change.completion.id));
    const dispute = change.dispute && (await stores.disputes.lock(change.dispute.id));
    const reference =
      change.reference && record.references.find(({ id }) => id === change.reference?.id);
    return {
      change: {
        ...change,
        after: record,
        ...(completion ? { completion } : {}),
        ...(dispute ? { dispute } : {}),
        ...(reference ? { reference } : {}),
      },
      entry: { ...entry, canonicalization: 'jcs' },
    };
  }
}

/** Why the mirror takes no step now; null where it does. */
export const stepRefusal = (record: RecordState): NotaryError | null => {
  const { detached, pendingStep, refusedSteps } = record.federation!;
  switch (stepObstacle(record)) {
    case 'detached':
      return new NotaryError(
        'UNPROCESSABLE',
        `The record is detached from its home (${detached}): nothing done here reaches it any more.`,
        {
          reason: 'detached',
          suggestion:
            'Settle the matter with the principal; the chain of this record stays as proof.',
        },
      );
    case 'pending':
      return new NotaryError(
        'STEP_PENDING',
        `The step ${pendingStep?.action} of ${pendingStep?.since} waits for the home of the record; one step is taken at a time.`,
        { reason: 'STEP_PENDING', retryAfter: 5 },
      );
    case 'exhausted':
      return new NotaryError(
        'UNPROCESSABLE',
        `Home refused ${refusedSteps} steps of this record; it takes no more.`,
        { reason: 'steps_exhausted', suggestion: 'Settle the matter with the principal directly.' },
      );
    case null:
      return null;
  }
};

/** The step that is waited for stands as it was queued: an edited row would be waited for without end. */
const assertWaits = async (stores: Stores, { id, federation }: RecordState): Promise<void> => {
  const sequence = federation?.pendingStep?.sequence;
  if (sequence === undefined) return;
  if (!(await stores.federation.outgoing(id, sequence)))
    throw payloadDrift(id, 'the step that was offered');
};

const assertMayOffer = (record: RecordState, { transition, descendants }: RecordChange): void => {
  if (!STEPS.has(transition.action))
    throw new NotaryError(
      'FORBIDDEN',
      `The action ${transition.action} belongs to the home of the record, on the hub ${record.federation?.peerHubId}.`,
      { suggestion: 'Wait for the principal, or read the record again.' },
    );
  const refusal = stepRefusal(record);
  if (refusal) throw refusal;
  if (descendants !== undefined)
    throw new NotaryError(
      'UNPROCESSABLE',
      'A record whose home is on another hub is not cancelled together with those below it.',
      {
        errors: [{ path: '/cascade', keyword: 'federation', message: 'is not taken on a mirror' }],
        suggestion: 'Cancel the delegated records first, each with cascade: true, then this one.',
      },
    );
};

const refusedByHome = (
  record: RecordState,
  { transition }: RecordChange,
  attestation: Uint8Array,
): NotaryError => {
  const code = String(readEntry(attestation)?.predicate['code'] ?? 'refused');
  return new NotaryError(
    'UNPROCESSABLE',
    `The home of the record refused the step ${transition.action}: ${code}.`,
    {
      reason: code,
      currentState: record.status,
      attemptedTransition: transition.action,
      suggestion: 'Read the record again, and decide by what it says now.',
    },
  );
};
