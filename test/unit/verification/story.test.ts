import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../domain/kernel/canonical-json.ts';
import { hashJson, hashText } from '../../../domain/kernel/digest.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import type { Story as Told } from '../../../domain/verification/report/story.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import {
  accepted,
  argued,
  cancelled,
  childId,
  counterAccepted,
  countered,
  created,
  delegated,
  disputed,
  drafted,
  escalated,
  expired,
  failed,
  fulfilled,
  hold,
  notPassed,
  overridden,
  overturned,
  pass,
  passed,
  proposed,
  referenced,
  release,
  revised,
  settle,
  signStory,
  step,
  submitted,
  upheld,
  verified,
  withdrawn,
  type Story,
} from '../../support/attackers/lying-operator.ts';
import { DAY } from '../../support/attackers/genuine-steps.ts';
import { TestHub, type TestChain } from '../../support/attackers/make-export.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await TestHub.start();
});

const report = (document: unknown, maxSteps = 100, by = hub): Promise<VerificationReport> =>
  verifyFile(JSON.stringify(document), {
    trust: trustOf({ kind: 'keys', spki: [by.spki] }),
    story: { maxSteps },
  });

const told = async (chain: TestChain, maxSteps?: number): Promise<Told> => {
  const { verdict, failures, story } = await report(await hub.export(chain), maxSteps);
  expect({ verdict, failures }).toEqual({ verdict: 'valid', failures: [] });
  return story!;
};
const tell = async (story: Story): Promise<Told> => told(await signStory(hub, story));

/** A line a step: on which side whoever acted stands, and what they did. */
const linesOf = ({ steps }: Told): string[] =>
  steps.map(({ actor, text }) => `${actor?.sides.join('+') || actor?.kind}: ${text}`);

const MAY_REVISE = { maxRevisions: 2 };
const AUTO = {
  gateMode: 'auto',
  gates: [{ id: 'covered', expression: 'true' }],
} as const;

describe('what the story says of each step', () => {
  it.each<[string, Story, readonly string[], string]>([
    [
      'a proposal that is countered, accepted, revised and fulfilled',
      {
        type: MAY_REVISE,
        steps: [
          proposed,
          countered,
          counterAccepted,
          submitted(),
          revised,
          submitted('REVISION_REQUESTED'),
          fulfilled,
          settle,
          referenced('FULFILLED'),
        ],
      },
      [
        'principal: proposed the record to the performer',
        'performer: answered with other criteria',
        'principal: accepted the counter-proposal, and the work began',
        'performer: delivered the work',
        'principal: asked for the work to be revised',
        'performer: delivered the revised work',
        'principal: accepted the work',
        'system: advised the settlement platform to SETTLE, on the outcome FULFILLED',
        'principal: added a reference to something outside',
      ],
      'FULFILLED: the work was accepted; the newest advice to the settlement platform is SETTLE',
    ],
    [
      'a proposal that is accepted, and work under way',
      { steps: [proposed, accepted] },
      [
        'principal: proposed the record to the performer',
        'performer: accepted the proposal, and the work began',
      ],
      'ACTIVE: the work is under way; it waits for the performer',
    ],
    [
      'a proposal that is turned down',
      { steps: [proposed, step('PROPOSAL_REJECTED', 'reject', 'PROPOSED', 'REJECTED')] },
      ['principal: proposed the record to the performer', 'performer: turned the proposal down'],
      'REJECTED: the proposal was turned down',
    ],
    [
      'a draft',
      { record: { performerAgentId: null }, steps: [drafted] },
      ['principal: drafted the record'],
      'CREATED: a draft that was offered to nobody yet; it waits for the principal',
    ],
    [
      'an outcome by the gates',
      { type: AUTO, steps: [created, submitted(), notPassed, hold] },
      [
        'principal: opened the record, and the work began at once',
        'performer: delivered the work',
        'system: had the gates decide: the work is rejected',
        'system: advised the settlement platform to HOLD, on the outcome FAILED',
      ],
      'FAILED: the work was rejected; the newest advice to the settlement platform is HOLD',
    ],
    [
      'an outcome by the gates that pass',
      { type: AUTO, steps: [created, submitted(), passed, settle] },
      [
        'principal: opened the record, and the work began at once',
        'performer: delivered the work',
        'system: had the gates decide: the work is accepted',
        'system: advised the settlement platform to SETTLE, on the outcome FULFILLED',
      ],
      'FULFILLED: the work was accepted; the newest advice to the settlement platform is SETTLE',
    ],
    [
      'a rejection that is overridden',
      { steps: [created, submitted(), failed, hold, overridden, settle] },
      [
        'principal: opened the record, and the work began at once',
        'performer: delivered the work',
        'principal: rejected the work',
        'system: advised the settlement platform to HOLD, on the outcome FAILED',
        'principal: accepted the work after all, over the earlier rejection',
        'system: advised the settlement platform to SETTLE, on the outcome REMEDIATED',
      ],
      'REMEDIATED: the work counts as accepted in the end, after it had failed; the newest advice to the settlement platform is SETTLE',
    ],
    [
      'work that is called off',
      { steps: [created, cancelled, release] },
      [
        'principal: opened the record, and the work began at once',
        'principal: cancelled the record',
        'system: advised the settlement platform to RELEASE, on the outcome CANCELLED',
      ],
      'CANCELLED: it was called off; the newest advice to the settlement platform is RELEASE',
    ],
    [
      'delegated work',
      {
        type: { cascade: { rule: 'all-fulfilled' } },
        steps: [created, delegated(1), verified('FULFILLED')],
      },
      [
        'principal: opened the record, and the work began at once',
        `performer: delegated part of the work as record ${childId(1)}`,
        'system: looked at the 1 delegated record',
      ],
      'ACTIVE: the work is under way; it waits for the performer',
    ],
  ])('%s', async (_what, story, lines, outcome) => {
    const shown = await tell(story);
    expect(linesOf(shown)).toEqual(lines);
    expect(`${shown.outcome?.status}: ${shown.outcome?.text}`).toBe(outcome);
  });

  it('a dispute, tier by tier, and what it does to the outcome', async () => {
    const base = [created, submitted(), fulfilled, settle, disputed('FULFILLED'), hold];
    const whole = await tell({
      steps: [
        ...base,
        argued('FULFILLED'),
        escalated('FULFILLED'),
        overturned('FULFILLED', 'FAILED'),
        release,
      ],
    });
    expect(linesOf(whole).slice(4)).toEqual([
      'principal: disputed the outcome FULFILLED',
      expect.stringContaining('HOLD'),
      expect.stringMatching(/^p\w+: submitted evidence to the dispute$/),
      expect.stringMatching(/^\w+: took the dispute to tier 2$/),
      'platform: decided the dispute: FULFILLED is overturned and becomes FAILED',
      expect.stringContaining('RELEASE'),
    ]);
    expect(whole.steps[4]?.details).toEqual([
      expect.stringMatching(/^what was said is not in the file, sealed by its hash [0-9a-f]{64}$/),
      expect.stringMatching(/^tier 1 lasts until 20\S+Z$/),
    ]);
    expect(whole.outcome).toMatchObject({ status: 'FAILED', isFinal: true });

    const open = await tell({ steps: base });
    expect(open.outcome).toMatchObject({
      status: 'FULFILLED',
      isFinal: false,
      text: expect.stringContaining('this is disputed, and the dispute is open'),
    });
    expect(linesOf(await tell({ steps: [...base, withdrawn('FULFILLED'), settle] }))[6]).toBe(
      'principal: withdrew the dispute: FULFILLED stands',
    );
    expect(
      linesOf(
        await tell({ steps: [...base, escalated('FULFILLED'), upheld('FULFILLED'), settle] }),
      )[7],
    ).toBe('platform: decided the dispute: FULFILLED stands');
  });

  it('what ran out of time, and when its time ended', async () => {
    const expiresAt = new Date(Date.parse(hub.now()) + DAY).toISOString();
    const shown = await tell({
      record: { expiresAt },
      steps: [created, pass(DAY), expired(), release],
    });
    expect(linesOf(shown)[1]).toBe('system: let the record expire, because its time had run out');
    expect(shown.steps[1]?.details).toEqual([`its time ended at ${expiresAt}`]);
    expect(shown.outcome).toMatchObject({ status: 'EXPIRED', at: shown.steps[1]?.at });
  });
});

describe('the story', () => {
  it('says what it is about, who signed, and by which names the file calls the parties', async () => {
    const chain = await hub.gate();
    const shown = await told(chain);
    expect(shown).toMatchObject({
      verified: true,
      verdict: 'valid',
      caveats: [],
      record: {
        recordId: chain.chainKey,
        orgId: hub.orgId,
        orgName: 'Acme',
        type: 'invoice-approval',
        publisher: 'acme',
        version: 1,
        decidedBy: 'principal',
        encrypted: false,
        criteria: JSON.stringify(chain.record.criteria),
      },
      signedBy: [{ keyId: hub.signer.keyId, fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      parties: {
        namesSealed: false,
        principal: { agentId: hub.principal, name: 'planner', orgName: 'Acme' },
        performer: { agentId: hub.performer, name: 'builder', orgName: 'Acme' },
      },
    });
    expect(shown.steps[1]?.details[0]).toBe(
      `evidence ${JSON.stringify(chain.evidence.get(2) as JsonValue)}`,
    );
    const bare = await report(await hub.export(chain, { evidence: false }));
    expect(bare.story?.steps[1]?.details[0]).toMatch(
      /^evidence not in the file, sealed by its hash/,
    );
  });

  it('is made only where it is asked for', async () => {
    const document = JSON.stringify(await hub.export(await hub.gate()));
    expect(await verifyFile(document, { trust: trustOf({ kind: 'none' }) })).not.toHaveProperty(
      'story',
    );
  });

  it('of a file that is not valid says so, and shows no content that was not sealed', async () => {
    const chain = await hub.gate();
    const document = await hub.export(chain);
    const forged = JSON.stringify(document)
      .replace('"120.50"', '"999.99"')
      .replace('"remark":"', '"remark":"forged');
    const { story } = await report(JSON.parse(forged));
    expect(story).toMatchObject({
      verified: false,
      verdict: 'invalid',
      caveats: [expect.stringMatching(/^NOT VERIFIED: the file is INVALID, with 2 failures\./)],
      record: { criteria: null },
    });
    expect(JSON.stringify(story)).not.toMatch(/999\.99|forged/);
    expect(story?.steps.map((one) => one.failed)).toEqual([false, true, true]);
  });

  it('of an entry that nobody can read says so, and goes on', async () => {
    const document = await hub.export(await hub.gate());
    const entries = document.chain.entries.map((entry, index) =>
      index === 1 ? { ...entry, coseSign1: 'AAAA' } : entry,
    );
    const { story } = await report({ ...document, chain: { ...document.chain, entries } });
    expect(story?.steps).toMatchObject([
      { position: 1, entryType: 'RECORD_CREATED' },
      {
        position: 2,
        at: null,
        actor: null,
        failed: true,
        text: expect.stringContaining('cannot be read'),
      },
      { position: 3, entryType: 'VERDICT_RENDERED' },
    ]);
  });

  it.each([
    [
      'another key',
      () => trustOf({ kind: 'fingerprint', sha256Hex: 'ab'.repeat(32) }),
      false,
      /signed by a different key than the one you trust\. This is what the file says$/,
    ],
    ['no key', () => trustOf({ kind: 'none' }), false, /no key from elsewhere was given/],
    ['the embedded key', () => trustOf({ kind: 'none' }), true, /^VERIFIED BY ITS OWN KEYS ONLY/],
  ])('under %s says what that means', async (_what, trust, trustEmbedded, caveat) => {
    const { story, verdict } = await verifyFile(
      JSON.stringify(await hub.export(await hub.gate())),
      { trust: trust(), trustEmbedded, story: { maxSteps: 10 } },
    );
    expect(story).toMatchObject({
      verified: verdict === 'valid',
      caveats: [expect.stringMatching(caveat)],
    });
  });

  it('of one signed statement tells that step, and no outcome', async () => {
    const chain = await hub.gate();
    const { story } = await report(hub.kept(chain, 3));
    expect(story).toMatchObject({
      verified: true,
      caveats: [expect.stringMatching(/^One statement alone/)],
      record: { recordId: chain.chainKey },
      steps: [{ position: 3, text: 'accepted the work', actor: { sides: ['principal'] } }],
      outcome: null,
    });
  });

  it('of a long chain tells the first and the last steps, and how many stand between', async () => {
    const chain = await signStory(hub, {
      type: { cascade: { rule: 'all-fulfilled' } },
      steps: [created, delegated(1), ...Array.from({ length: 399 }, () => verified('FULFILLED'))],
    });
    const positions = async (maxSteps: number): Promise<object> => {
      const { steps, stepsLeftOut, leftOutAfter } = await told(chain, maxSteps);
      return { at: steps.map(({ position }) => position), stepsLeftOut, leftOutAfter };
    };
    expect(await positions(4)).toEqual({
      at: [1, 2, 400, 401],
      stepsLeftOut: 397,
      leftOutAfter: 2,
    });
    expect(await positions(0)).toEqual({ at: [], stepsLeftOut: 401, leftOutAfter: 0 });
    expect(await positions(400)).toMatchObject({ stepsLeftOut: 1, leftOutAfter: 200 });
    expect(await positions(402)).toMatchObject({ stepsLeftOut: 0, leftOutAfter: null });
  });
});

describe('hostile texts', () => {
  const EVIL = '"\u001b[2J\u009b31m\u202e\u2066\u200b\r\n\tVALID\u2028 \\u202e "';
  const ACTING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

  it('of names, sealed or not, stay in their quotes, in one line, cut, and act on no terminal', async () => {
    const chain = await signStory(hub, {
      steps: [
        created,
        {
          ...step('RECORD_CANCELLED', 'cancel', 'ACTIVE', 'CANCELLED'),
          members: () => ({
            cancelledBy: 'principal',
            reason: EVIL + 'x'.repeat(900),
          }),
        },
        release,
      ],
    });
    const document = await hub.export(chain);
    const parties = document.parties.map((party) => ({
      ...party,
      name: EVIL + 'x'.repeat(900),
      orgName: `${EVIL}e${'\u0301'.repeat(400)}`,
    }));
    const { story, verdict } = await report({ ...document, parties });
    expect(verdict).toBe('valid');
    const { name, orgName } = story!.parties.principal!;
    const [reason] = story!.steps[1]!.details;
    for (const text of [name!, orgName!, reason!]) {
      expect(text).not.toMatch(ACTING);
      expect(text.length).toBeLessThan(450);
      // Every quote of the file's is escaped, and so is every backslash before it.
      expect(
        text.replace(/^reason "|"… \(cut, \d+ characters\)$/g, '').replace(/\\[\\"]/g, ''),
      ).not.toContain('"');
    }
    expect(orgName).not.toMatch(/\p{M}{5}/u);
    expect(reason).toMatch(/^reason "\\"\\u001b\[2J.*"… \(cut, 9\d\d characters\)$/);
    expect(reason).toContain('\\\\u202e');
  });

  it('of anything else in a file reach no text of the story', async () => {
    const document = await hub.export(await hub.gate());
    const text = JSON.stringify(document).replaceAll('"FULFILLED"', JSON.stringify(EVIL));
    const { story } = await report(JSON.parse(text));
    expect(JSON.stringify(story, null, 0)).not.toMatch(ACTING);
  });
});

it('messages and what a dispute said are told by their hashes', async () => {
  const messageHash = hashText('please');
  const chain = await signStory(hub, {
    steps: [{ ...proposed, members: () => ({ messageHash }) }, countered],
  });
  const { steps } = await told(chain);
  expect(steps.map(({ details }) => details)).toEqual([
    [`with a message that is not in the file, sealed by its hash ${messageHash}`],
    [`criteria sealed by their hash ${hashJson({ action: 'invoice.approve', amount: '99.00' })}`],
  ]);
});
