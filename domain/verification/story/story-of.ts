import type { JsonObject } from '../../kernel/canonical-json.ts';
import type { RecordStatePredicate } from '../../record/record-statement.ts';
import type { ActorClaim } from '../../vault/statement.ts';
import { sidesOfActor, type SealedParties } from '../chain/rules/acting.ts';
import { caveatsOf } from './caveats.ts';
import { outcomeOf } from './outcome.ts';
import { plain, shownJson } from '../chain/shown-text.ts';
import { wordsOfAttestation, wordsOfSignal, wordsOfStep } from './step-words.ts';
import type {
  NamedParty,
  Standing,
  Story,
  StoryActor,
  StoryKey,
  StoryParty,
  StoryRecord,
  StoryStep,
} from '../report/story.ts';
import type { ToldEntries, ToldEntry } from '../chain/told-entries.ts';

/** What a story is made of. */
export interface StorySources {
  readonly entries: ToldEntries;
  /** As the file names them; what nobody seals is shown as such. */
  readonly parties: readonly NamedParty[];
  /** Those of the file, if they are the sealed ones. */
  readonly criteria: JsonObject | null;
  readonly keys: readonly StoryKey[];
}

/** Tells what the entries say, and how far a verification lets anyone rely on it. */
export const storyOf = (
  { entries, parties, criteria, keys }: StorySources,
  standing: Standing,
): Story => {
  const names = namesOf(parties);
  const { first, newest } = entries;
  const encrypted = first?.terms ? first.terms.operatingMode === 'encrypted' : null;
  return {
    verified: standing.verdict === 'valid',
    verdict: standing.verdict,
    caveats: caveatsOf(standing),
    record: first && newest && recordOf(first, newest, names, encrypted, criteria),
    signedBy: keys.map(({ keyId, fingerprint }) => ({ keyId: plain(keyId), fingerprint })),
    parties: {
      namesSealed: false,
      principal: newest && partyOf(newest.principalAgentId, newest.orgId, names),
      performer:
        newest && newest.performerAgentId !== null
          ? partyOf(newest.performerAgentId, newest.performerOrgId, names)
          : null,
    },
    steps: stepsOf(entries, {
      names,
      encrypted: encrypted ?? false,
      failed: standing.failedPositions,
    }),
    stepsLeftOut: entries.count - entries.steps.length,
    leftOutAfter: entries.leftOutAfter,
    // One statement alone says where a record stood, and nothing of how it ended.
    outcome:
      (standing.kind === 'audit-export' || standing.kind === 'attestation') && newest
        ? outcomeOf(newest, entries.newestStatusAt, entries.recommendation)
        : null,
  };
};

interface Names {
  readonly agents: ReadonlyMap<string, string>;
  readonly orgs: ReadonlyMap<string, string>;
}

const namesOf = (parties: readonly NamedParty[]): Names => ({
  agents: new Map(parties.flatMap(({ agentId, name }) => named(agentId, name))),
  orgs: new Map(parties.flatMap(({ orgId, orgName }) => named(orgId, orgName))),
});

const named = (id: string | null, name: string | null): readonly (readonly [string, string])[] =>
  id === null || name === null ? [] : [[id, nameOf(name)]];

const MAX_NAME = 80;

const nameOf = (name: string): string =>
  name.length > MAX_NAME ? `${plain(name.slice(0, MAX_NAME))}…` : plain(name);

const partyOf = (agentId: string, orgId: string | null, names: Names): StoryParty => ({
  agentId,
  orgId,
  name: names.agents.get(agentId) ?? null,
  orgName: (orgId !== null && names.orgs.get(orgId)) || null,
});

const recordOf = (
  { terms, schema, recordId, orgId, parentRecordId }: RecordStatePredicate,
  { criteriaHash }: RecordStatePredicate,
  names: Names,
  encrypted: boolean | null,
  criteria: JsonObject | null,
): StoryRecord => ({
  recordId,
  orgId,
  orgName: names.orgs.get(orgId) ?? null,
  type: nameOf(schema.type),
  publisher: nameOf(schema.publisher),
  version: schema.version,
  platform: terms ? nameOf(terms.platform) : null,
  platformRef: terms?.platformRef ? nameOf(terms.platformRef) : null,
  decidedBy: terms ? (terms.gateMode === 'auto' ? 'gates' : 'principal') : null,
  encrypted,
  parentRecordId: parentRecordId ?? null,
  criteriaHash,
  criteria: criteria && encrypted !== true ? shownJson(criteria) : null,
});

interface Telling {
  readonly names: Names;
  readonly encrypted: boolean;
  readonly failed: ReadonlySet<number>;
}

const stepsOf = (entries: ToldEntries, telling: Telling): StoryStep[] => {
  const { first } = entries;
  let parties: SealedParties | null = first;
  return entries.steps.map((told) => {
    if (told.predicate && 'transition' in told.predicate)
      parties = { ...told.predicate, federation: first?.terms?.federation ?? null };
    return stepOf(told, parties, telling);
  });
};

const stepOf = (
  { position, predicate, beside }: ToldEntry,
  parties: SealedParties | null,
  { names, encrypted, failed }: Telling,
): StoryStep => {
  const isFailed = position !== null && failed.has(position);
  if (!predicate)
    return {
      position,
      at: null,
      entryType: null,
      transition: null,
      actor: null,
      text: 'an entry that tells no step of a record, or that cannot be read',
      details: [],
      coSigned: false,
      failed: isFailed,
    };
  const isState = 'transition' in predicate;
  return {
    position,
    at: predicate.at,
    entryType: predicate.entryType,
    transition: isState ? { from: predicate.transition.from, to: predicate.transition.to } : null,
    actor: actorOf(predicate.actor, parties, names),
    ...(isState
      ? wordsOfStep(predicate, { ...beside, encrypted })
      : 'recommendation' in predicate
        ? wordsOfSignal(predicate)
        : wordsOfAttestation(predicate)),
    coSigned: isState && predicate.coSignature !== undefined,
    failed: isFailed,
  };
};

const actorOf = (actor: ActorClaim, parties: SealedParties | null, names: Names): StoryActor => {
  const { kind, agentId, orgId } = actor;
  return {
    kind,
    // Whoever may stand on any side stands on none.
    sides: parties && kind !== 'platform' ? [...sidesOfActor(actor, parties)] : [],
    agentId: agentId ?? null,
    name: (agentId !== undefined && names.agents.get(agentId)) || null,
    orgId: orgId ?? null,
    orgName: (orgId !== undefined && names.orgs.get(orgId)) || null,
  };
};
