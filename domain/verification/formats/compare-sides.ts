import { isLostBy, type AcknowledgedLoss } from '../report/acknowledged-losses.ts';
import { canonicalJson, isObject } from '../../kernel/canonical-json.ts';
import { FEDERATION_ENTRY_TYPES } from '../../vault/entry-type.ts';
import type { Findings } from '../report/report.ts';
import { MISSED_AFTER_MS } from './kept-beside-export.ts';
import { actionOf } from '../federation/peer-applied-steps.ts';
import type {
  FederatedSide,
  SentEntry,
  SideEntry,
  SideMessage,
} from '../federation/federated-side.ts';

/** Whether two files are of the two sides of one record. */
export const isPeerOf = (a: FederatedSide, b: FederatedSide): boolean =>
  a.claim.role !== b.claim.role &&
  a.claim.peerHubId === b.hubId &&
  b.claim.peerHubId === a.hubId &&
  homeOf(a) === homeOf(b) &&
  (mirrorOf(a) ?? mirrorOf(b)) === (mirrorOf(b) ?? mirrorOf(a));

const homeOf = ({ claim, chainKey }: FederatedSide): string => claim.recordId ?? chainKey;
const mirrorOf = ({ claim, chainKey, peerRecordId }: FederatedSide): string | null =>
  claim.role === 'mirror' ? chainKey : peerRecordId;

/**
 * Holds the files of two hubs about one record against each other. Each was verified under its own trusted keys, so where
 * they contradict each other, one hub signed both; it is named. What one file is too old to hold cannot be told.
 */
export const compareSides = (a: FederatedSide, b: FederatedSide, findings: Findings): void => {
  const comparison = new Comparison(findings);
  for (const [side, other] of [
    [a, b],
    [b, a],
  ] as const) {
    comparison.roots(side, other);
    comparison.messages(side, other);
    comparison.entries(side, other);
    comparison.answers(side, other);
  }
  const [home, mirror] = a.claim.role === 'home' ? [a, b] : [b, a];
  comparison.steps(home, mirror);
  comparison.transitions(home, mirror);
};

class Comparison {
  constructor(private readonly findings: Findings) {}

  /** The keys by which a file judged the other hub are those of that hub. */
  roots({ hubId, peerRoot, peerKeys }: FederatedSide, other: FederatedSide): void {
    this.findings.looked('peerSide');
    const known = Math.min(peerKeys.length, other.keys.length);
    if (other.root !== null && peerRoot !== other.root)
      this.findings.fail(
        'peerSide',
        'chain',
        'CHAIN_KEY_POLICY_VIOLATION',
        { chainKey: other.chainKey, position: null },
        `hub ${hubId} names sha256:${peerRoot} as the vault root of hub ${other.hubId}, which is sha256:${other.root}`,
      );
    else if (peerKeys.slice(0, known).some((hash, index) => hash !== other.keys[index]))
      this.both(other, null, 'the two files hold other key statements of it');
    else if (peerKeys.length > other.keys.length)
      this.tooOld(other, `it lacks key statements that hub ${hubId} knows`);
  }

  /** What the sender kept and what the receiver kept under one sequence say the same. */
  messages(sender: FederatedSide, receiver: FederatedSide): void {
    const sent = new Map(of('out', sender).map((one) => [one.sequence, one]));
    const told = new Set(sender.entries.map(({ hash }) => hash));
    for (const got of of('in', receiver)) {
      const own = sent.get(got.sequence);
      this.findings.looked('peerSide');
      const at = String(got.predicate['at']);
      if (own?.payload === got.payload) continue;
      if (this.isLost(sender, positionOf(got), at, `statement ${got.sequence}`)) continue;
      // Nobody signs the list of statements: where the chain holds what it tells of, only the file was shortened.
      if (!own && told.has(got.entries.at(-1)?.hash ?? ''))
        this.tooOld(
          sender,
          `it lacks statement ${got.sequence}, and its chain holds the entry that it tells of`,
        );
      else if (!own)
        this.missing(
          sender,
          at,
          null,
          `statement ${got.sequence}, which hub ${receiver.hubId} received`,
        );
      else
        this.both(sender, null, `statement ${got.sequence} has another payload in the other file`);
    }
  }

  /** The entries that were sent with a message are those of the sender's chain. */
  entries(sender: FederatedSide, receiver: FederatedSide): void {
    const own = new Map(sender.entries.map((one) => [one.position, one.hash]));
    for (const { sequence, entries } of of('in', receiver))
      for (const { position, hash, at } of entries) {
        this.findings.looked('peerSide');
        const here = position === null ? undefined : own.get(position);
        if (here === hash || this.isLost(sender, position, at, 'an entry that it sent')) continue;
        if (here === undefined)
          this.missing(
            sender,
            at,
            position,
            `the entry ${position ?? 'unknown'} of its chain, which it sent with statement ${sequence}`,
          );
        else
          this.both(
            sender,
            position,
            `the entry that it sent with statement ${sequence} is another than that of its chain`,
          );
      }
  }

  /** What the receiver signed of a message stands on its chain, and is about that message. */
  answers(sender: FederatedSide, receiver: FederatedSide): void {
    const chain = new Map(receiver.entries.map((one) => [one.position, one.hash]));
    const received = new Set(of('in', receiver).map(({ sequence }) => sequence));
    for (const { sequence, attestation } of of('out', sender)) {
      if (!attestation) {
        if (received.has(sequence))
          this.tooOld(sender, `it lacks the answer to statement ${sequence}`);
        continue;
      }
      this.findings.looked('peerSide');
      const { position, hash, at } = attestation;
      // A refused offer is attested on no chain.
      if (position === null) continue;
      const here = chain.get(position);
      if (here === hash) continue;
      const what = `its answer to statement ${sequence}`;
      if (this.isLost(receiver, position, at, what)) continue;
      if (here === undefined) this.missing(receiver, at, position, what);
      else this.both(receiver, position, `its answer to statement ${sequence} is not on its chain`);
    }
  }

  /** Each step that home applied was offered on the mirror. */
  steps(home: FederatedSide, mirror: FederatedSide): void {
    const chain = new Map(mirror.entries.map((one) => [one.position, one]));
    for (const { sequence, predicate, attestation } of of('in', home)) {
      if (attestation?.outcome !== 'applied') continue;
      this.findings.looked('peerSide');
      const entry = chain.get(Number(predicate['position']));
      if (!entry) continue;
      if (
        (entry.entryType !== 'STEP_OFFERED' ||
          actionOf(entry.predicate) !== predicate['action'] ||
          entry.hash !== predicate['headHash']) &&
        !this.isLost(mirror, entry.position, String(predicate['at']), `step ${sequence}`)
      )
        this.both(
          mirror,
          entry.position,
          `step ${sequence}, which hub ${home.hubId} applied, is no STEP_OFFERED there`,
        );
    }
  }

  /** Both chains tell the same transitions in the same order; the mirror is behind at most. */
  transitions(home: FederatedSide, mirror: FederatedSide): void {
    const [told, mirrored] = [transitionsOf(home.entries), transitionsOf(mirror.entries)];
    for (const [index, { form, entry }] of mirrored.entries()) {
      this.findings.looked('peerSide');
      const own = told[index];
      if (own?.form === form) continue;
      // Which of home's entries this one repeats is not told; what was there when it was made may be gone.
      const at = String(entry.predicate['at']);
      const made = madeBy(entry, mirror);
      // The mirror dates its own entries; home dated what had it make this one.
      const saidAt = made && String(made.message.predicate['at']);
      if (this.hasLost(home, own?.entry ?? null, saidAt ?? at, entry.entryType)) return;
      if (this.hasLost(mirror, entry, at, entry.entryType)) return;
      if (own) {
        const tells = `${entry.entryType} where the chain of its home tells ${own.entry.entryType}`;
        const sent = made && sentOtherwise(made.upTo, home);
        return sent
          ? this.both(home, sent.position, `the mirror was sent ${tells}`)
          : this.both(mirror, entry.position, `it tells ${tells}`);
      }
      const what = `${entry.entryType}, which stands at position ${entry.position} on the mirror`;
      return saidAt === null
        ? this.tooOld(home, `it lacks ${what}`)
        : this.missing(home, saidAt, null, what);
    }
    const waiting = told.length - mirrored.length;
    if (waiting === 0) return;
    const delivered = of('out', home).filter(
      ({ isSignal, attestation }) => !isSignal && attestation?.outcome === 'applied',
    );
    if (delivered.length > mirrored.length)
      this.tooOld(mirror, `it lacks transitions that its own answers attest`);
    else
      this.findings.note(
        `${waiting} ${waiting === 1 ? 'transition of the home has' : 'transitions of the home have'} not reached the mirror`,
      );
  }

  /** What was on a chain at a position when something of that time saw it, and was lost in a rewind. */
  private isLost(side: FederatedSide, position: number | null, at: string, what: string): boolean {
    const loss = side.losses.find((one) => position !== null && isLostBy(one, position, at));
    return loss !== undefined && this.lost(side, loss, what);
  }

  /** @param now what stands on the chain instead: what was before the range was not lost. */
  private hasLost(side: FederatedSide, now: SideEntry | null, at: string, what: string): boolean {
    const loss = side.losses.find(
      ({ acknowledgedAt, lostRange }) =>
        at < acknowledgedAt && (now === null || now.position >= lostRange.from),
    );
    return loss !== undefined && this.lost(side, loss, what);
  }

  /** Its operator said so under a platform key: that is neither shown nor refuted by the files. */
  private lost({ hubId }: FederatedSide, loss: AcknowledgedLoss, what: string): true {
    const { from, to } = loss.lostRange;
    this.findings.cannotTell(
      'peerSide',
      `cannot tell: ${what} is not in the file of hub ${hubId} as the other hub holds it; a platform key of hub ${hubId} acknowledged at ${loss.acknowledgedAt} that entries ${from} to ${to} of its chain were lost in a rewind`,
    );
    return true;
  }

  private both({ hubId, chainKey }: FederatedSide, position: number | null, detail: string): void {
    this.findings.fail(
      'peerSide',
      'chain',
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      { chainKey, position },
      `hub ${hubId} signed both: ${detail}`,
    );
  }

  /** A file that was closed long after something lacks it for another reason than its age. */
  private missing(side: FederatedSide, at: string, position: number | null, what: string): void {
    const { completeAsOf } = side;
    if (completeAsOf !== null && Date.parse(completeAsOf) - Date.parse(at) > MISSED_AFTER_MS)
      this.both(side, position, `its file, complete as of ${completeAsOf}, lacks ${what}`);
    else this.tooOld(side, `it lacks ${what}`);
  }

  private tooOld({ hubId }: FederatedSide, what: string): void {
    this.findings.cannotTell(
      'peerSide',
      `cannot tell: the file of hub ${hubId} is too old or not whole, ${what}; fetch it again`,
    );
  }
}

/** What home had said when it had the mirror make an entry, the message that did so last; null where no message made it. */
const madeBy = (
  { position }: SideEntry,
  mirror: FederatedSide,
): { readonly message: SideMessage; readonly upTo: readonly SideMessage[] } | null => {
  const received = of('in', mirror);
  // Each message is attested right after what it made.
  const made = received.findIndex(
    ({ attestation }) =>
      attestation?.outcome === 'applied' && (attestation.position ?? 0) > position,
  );
  const message = received[made];
  return message ? { message, upTo: received.slice(0, made + 1) } : null;
};

/**
 * An entry that home sent where its own chain holds another: then the mirror kept what it was sent. That it repeats that shows
 * in its file alone.
 */
const sentOtherwise = (messages: readonly SideMessage[], home: FederatedSide): SentEntry | null => {
  const own = new Map<number | null, string>(home.entries.map((one) => [one.position, one.hash]));
  const sent = messages.flatMap(({ entries }) => entries);
  return sent.find((one) => (own.get(one.position) ?? one.hash) !== one.hash) ?? null;
};

/** Of the entry on the sender's chain that the message is about. */
const positionOf = ({ predicate, entries }: SideMessage): number | null =>
  typeof predicate['position'] === 'number'
    ? predicate['position']
    : (entries.at(-1)?.position ?? null);

const of = (direction: SideMessage['direction'], side: FederatedSide): readonly SideMessage[] =>
  side.messages.filter((message) => message.direction === direction);

/** What happens on one hub alone: children, references, signals and what the hubs say of each other. */
const OWN: ReadonlySet<string> = new Set([
  ...FEDERATION_ENTRY_TYPES,
  'CHILD_DELEGATED',
  'CASCADE_VERIFIED',
  'REFERENCE_ADDED',
  'SIGNAL_EMITTED',
]);

const transitionsOf = (
  entries: readonly SideEntry[],
): readonly { readonly form: string; readonly entry: SideEntry }[] =>
  entries.flatMap((entry) => {
    const { entryType, predicate } = entry;
    const { transition, reason } = predicate;
    // A mirror of a revoked peer ends by itself.
    if (OWN.has(entryType) || reason === 'peer_revoked' || !isObject(transition)) return [];
    return [{ form: canonicalJson([entryType, transition]), entry }];
  });
