import type { Step, StoryFrontEnd, Told } from './story-front-end.ts';
import { GOAL, type Body, type Client } from '../service/world.ts';

/** Who acts in the story, and under which keys its calls are made. */
export interface StoryCast {
  readonly principal: Client;
  readonly performer: Client;
  readonly platform: Client;
  readonly performerId: string;
  readonly keys: string;
}

/** One call of the story, and what the front-end told. */
export interface Performed {
  readonly step: Step;
  readonly told: Told;
  /** False where the protocol has no words for the step. */
  readonly isSaid: boolean;
}

/** What the story does beside what it is told: a key on all that writes, unless it says otherwise. */
interface Extras {
  readonly isKeyed?: boolean;
  readonly expectedVersions?: readonly number[];
}

/** A story in operations and inputs, told by whichever front-end. */
export class Story {
  readonly calls: Performed[] = [];

  constructor(
    private readonly frontEnd: StoryFrontEnd,
    private readonly keys: string,
  ) {}

  /** Gives what was told: of a refusal an empty view. */
  async does(who: Client, operation: string, input: Body, extras: Extras = {}): Promise<Body> {
    const { isKeyed = true, ...rest } = extras;
    const key = isKeyed ? `${this.keys}-${this.calls.length}` : undefined;
    const step: Step = { credential: String(who.key), operation, input, key, ...rest };
    const isSaid = this.frontEnd.says?.(step) ?? true;
    const told = isSaid ? await this.frontEnd.perform(step) : { isReplay: false, view: {} };
    this.calls.push({ step, told, isSaid });
    return 'view' in told ? told.view : {};
  }

  reads(who: Client, operation: string, input: Body): Promise<Body> {
    return this.does(who, operation, input, { isKeyed: false });
  }
}

/** A notarized record; one that is proposed, bargained for, delivered, judged and disputed; and several at once. */
export const tellStory = async (
  frontEnd: StoryFrontEnd,
  cast: StoryCast,
): Promise<readonly Performed[]> => {
  const { principal, performer } = cast;
  const story = new Story(frontEnd, cast.keys);
  const note = { type: 'note', criteria: { text: 'ü', at: [1, 2.5, true, null] } };
  const { id } = await story.does(principal, 'createRecord', note);
  await story.reads(performer, 'getRecord', { recordId: id });
  await story.does(principal, 'createRecord', { type: 'unknown', criteria: {} });
  await story.does(principal, 'createRecord', { typ: 'note', criteria: {} });

  const recordId = await propose(story, cast);
  await deliver(story, cast, recordId);
  await dispute(story, cast, recordId);

  await story.does(principal, 'createRecordsBulk', {
    items: [note, { type: 'unknown', criteria: {} }, {}],
  });
  await story.reads(principal, 'listRecords', { type: 'job', limit: 1, sort: '-createdAt' });
  await story.reads(principal, 'listRecords', { limit: 0 });
  await story.reads(principal, 'getRecord', { recordId });
  return story.calls;
};

const propose = async (
  story: Story,
  { principal, performer, performerId }: StoryCast,
): Promise<string> => {
  const proposal = await story.does(principal, 'createRecord', {
    type: 'job',
    criteria: GOAL,
    performerAgentId: performerId.toUpperCase(),
    references: [{ kind: 'ticket', uri: 'https://tickets.example/1' }],
  });
  const recordId = String(proposal['id']);
  const acts = (who: Client, action: string, rest: Body = {}, extras: Extras = {}) =>
    story.does(who, 'transitionRecord', { recordId, action, ...rest }, extras);
  await acts(principal, 'accept');
  await acts(principal, 'fly');
  await acts(performer, 'counter-propose', { criteria: { goal: 'h', threshold: 3 } });
  await acts(principal, 'accept-counter', {}, { expectedVersions: [0] });
  await acts(principal, 'accept-counter');
  await acts(performer, 'accept');
  const log = { recordId, kind: 'log', uri: 'urn:example:log' };
  await story.does(performer, 'addReference', log);
  await story.does(performer, 'addReference', log);
  return recordId;
};

const deliver = async (
  story: Story,
  { principal, performer }: StoryCast,
  recordId: string,
): Promise<void> => {
  const submit = (evidence: Body) =>
    story.does(performer, 'submitCompletion', { recordId, evidence });
  await submit({ points: 9 });
  await submit({ score: 1 });
  await story.reads(principal, 'getGateStatus', { recordId });
  await story.does(principal, 'transitionRecord', {
    recordId,
    action: 'revision',
    reason: 'More.',
  });
  const { id: completionId } = await submit({ score: 9 });
  await story.reads(principal, 'getCompletion', { recordId, completionId });
  const verdict = { recordId, completionId, verdict: 'accept' };
  await story.does(performer, 'renderVerdict', verdict);
  await story.does(principal, 'renderVerdict', { ...verdict, reason: 'Good.' });
  await story.does(principal, 'transitionRecord', { recordId, action: 'cancel' });
};

const dispute = async (
  story: Story,
  { principal, performer, platform }: StoryCast,
  recordId: string,
): Promise<void> => {
  await story.does(performer, 'openDispute', { recordId });
  const { id: disputeId } = await story.does(principal, 'openDispute', {
    recordId,
    evidence: { note: 'n' },
  });
  await story.does(performer, 'submitDisputeEvidence', { recordId, evidence: { note: 'm' } });
  await story.reads(performer, 'getRecordDispute', { recordId });
  await story.does(principal, 'escalateDispute', { recordId });
  await story.does(platform, 'resolveDispute', {
    recordId,
    outcome: 'OVERTURNED',
    resolution: 'It does not hold.',
  });
  await story.does(principal, 'withdrawDispute', { recordId });
  await story.reads(principal, 'getDispute', { disputeId });
  await story.reads(principal, 'listDisputes', { recordId });
};
