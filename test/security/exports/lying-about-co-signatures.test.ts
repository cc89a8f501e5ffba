import { describe, expect, it } from 'vitest';
import { encodeBase64, encodeBase64Url } from '../../../domain/kernel/base64.ts';
import { hashJson } from '../../../domain/kernel/digest.ts';
import type { RecordStatePredicate } from '../../../domain/record/record-statement.ts';
import type { Signer } from '../../../domain/vault/signer.port.ts';
import { webCryptoSigner } from '../../support/attackers/make-export.ts';
import { childId } from '../../support/attackers/lying-operator.ts';
import {
  CERT,
  CRITERIA,
  EVIDENCE,
  text,
  rawKey,
  useCoSignedChains,
  type Asked,
  type Signed,
} from '../../support/clients/co-signed-chain.ts';

const chains = useCoSignedChains();
const { actor, append, coSign, coSignBody, delivered, own, verdict, verify } = chains;

describe('a co-signature that is bound to its entry', () => {
  it.each([
    ['request', coSign],
    ['body', coSignBody],
  ] as const)('passes with the body beside it: coverage %s', async (_coverage, sign) => {
    const report = await verify(await verdict(await delivered(sign), {}, {}, sign));
    expect(report.failures).toEqual([]);
    expect(report.verdict).toBe('valid');
    expect(report.checks.coSignatures).toEqual({ result: 'passed', count: 3 });
  });

  it('is not settled without the body, which is said by the name of the check', async () => {
    const report = await verify(await verdict(await delivered()), { bodies: false });
    expect(report).toMatchObject({
      verdict: 'valid',
      failures: [],
      checks: { coSignatures: { result: 'skipped_no_input', count: 3 } },
    });
  });

  it('passes on /transition, with an item of a bulk, and for a delegation', async () => {
    const signed: Signed = { chain: chains.hub.chain(CRITERIA), requests: new Map() };
    const item = {
      type: 'invoice-approval',
      criteria: CRITERIA,
      performerAgentId: chains.hub.performer,
    };
    const other = {
      type: 'other',
      criteria: {},
      parentRecordId: signed.chain.chainKey.toUpperCase(),
      autoActivate: true,
    };
    await append(
      signed,
      'RECORD_PROPOSED',
      { action: 'create', from: null, to: 'PROPOSED' },
      { actor: actor('principal') },
      { path: '/v1/records/bulk', body: text([other, item]), item: 1 },
    );
    await append(
      signed,
      'PROPOSAL_ACCEPTED',
      { action: 'accept', from: 'PROPOSED', to: 'ACTIVE' },
      { actor: actor('performer') },
      { path: own(signed, 'transition'), body: text({ action: 'accept' }) },
    );
    const children = [
      { id: childId(1), status: 'ACTIVE', headHash: 'c'.repeat(64), disputed: false },
    ] as const;
    await append(
      signed,
      'CHILD_DELEGATED',
      { action: 'delegate', from: 'ACTIVE', to: 'ACTIVE' },
      { actor: actor('performer'), children },
      { path: '/v1/records', body: text(other) },
    );
    expect((await verify(signed)).failures).toEqual([]);
  });

  it('passes on a descendant of the record that was cancelled with its tree', async () => {
    const root = '0190e000-0000-7000-8000-00000000000e';
    const signed: Signed = { chain: chains.hub.chain(CRITERIA), requests: new Map() };
    Object.assign(signed.chain.record, { parentRecordId: root, rootRecordId: root, depth: 1 });
    await chains.hub.append(signed.chain, 'RECORD_CREATED', {
      action: 'create',
      from: null,
      to: 'ACTIVE',
    });
    const stranger = '0190e000-0000-7000-8000-0000000000aa';
    const cancel = (cascade: boolean) =>
      append(
        signed,
        'RECORD_CANCELLED',
        { action: 'cancel', from: 'ACTIVE', to: 'CANCELLED' },
        {
          actor: {
            kind: 'agent',
            agentId: stranger,
            orgId: stranger,
            certId: CERT,
            oidc: { iss: 'https://issuer.example', sub: 'stranger' },
          },
          reason: 'parent_cancelled',
        },
        { path: `/v1/records/${root}/cancel`, body: text({ cascade, reason: 'Enough.' }) },
      );
    await cancel(true);
    expect((await verify(signed)).failures).toEqual([]);
  });

  it('verifies under the key that a reader has pinned for the chains.agent, and under no other', async () => {
    const signed = await verdict(await delivered());
    const pin = (signer: Signer): string =>
      text({ [chains.hub.principal]: [encodeBase64Url(rawKey(signer))] });
    expect((await verify(signed, { pins: pin(chains.agent) })).failures).toEqual([]);
    const report = await verify(signed, { pins: pin(await webCryptoSigner('Ed25519')) });
    expect(report.failures.map(({ position, detail }) => [position, detail])).toEqual([
      [1, 'the key of the co-signature is not one that is pinned for the agent'],
      [3, 'the key of the co-signature is not one that is pinned for the agent'],
    ]);
  });
});

/** What the operator makes of a verdict that the agent did co-sign, or of one that it did not. */
type Line = readonly [string, (signed: Signed) => Promise<unknown>, RegExp];
const OTHER = '0190e000-0000-7000-8000-00000000000e';

const LINES: readonly Line[] = [
  [
    'a flipped verdict',
    (s) => verdict(s, { says: { verdict: 'reject' } }),
    /differs .* in verdict/,
  ],
  [
    'a verdict on another completion',
    (s) => verdict(s, { says: { completionId: OTHER } }),
    /in completionId/,
  ],
  ['a reason that nobody gave', (s) => verdict(s, {}, { reason: 'x' }), /in reason/],
  ['a reason left out', (s) => verdict(s, { says: { reason: 'x' } }), /in reason/],
  [
    'an accept of the record sealed as a verdict',
    (s) => verdict(s, { path: own(s, 'accept'), body: '{}' }),
    /calls accept, not render-verdict/,
  ],
  [
    'a request about another record',
    (s) => verdict(s, { path: `/v1/records/${OTHER}/verdict` }),
    /about another record/,
  ],
  [
    'a read',
    (s) => verdict(s, { path: own(s, 'completions/x') }),
    /no request at the co-signed path/,
  ],
  [
    'a path with a query',
    (s) => verdict(s, { path: `${own(s, 'verdict')}?x=1` }),
    /no request at the co-signed path/,
  ],
  [
    'a path spelled otherwise',
    (s) => verdict(s, { path: own(s, 'verdict').toUpperCase() }),
    /no request at the co-signed path/,
  ],
  [
    'a target that is none',
    (s) => verdict(s, { origin: 'nowhere' }),
    /no request at the co-signed path/,
  ],
  [
    'another action on /transition',
    (s) => verdict(s, { path: own(s, 'transition'), body: text({ action: 'cancel' }) }),
    /not render-verdict/,
  ],
  [
    'a body that was exchanged',
    async (s) => {
      await verdict(s);
      s.requests.set(3, encodeBase64(new TextEncoder().encode('{}')));
    },
    /not the one whose hash was co-signed/,
  ],
  ['a body that is no JSON', (s) => verdict(s, { body: 'verdict=accept' }), /is not JSON/],
  ['a request of another year', (s) => verdict(s, { created: 1_700_000_000 }), /not of the time/],
  [
    'a request of the future',
    (s) => verdict(s, { created: Math.floor(Date.parse('2027-01-01T00:00:00.000Z') / 1000) }),
    /not of the time/,
  ],
  [
    'a signature for another purpose',
    (s) => verdict(s, { tag: 'login' }),
    /form that can be checked/,
  ],
  ['a nonce that is none', (s) => verdict(s, { nonce: 'short' }), /no nonce/],
  ['an item of no bulk', (s) => verdict(s, { item: 0 }), /an item is one of/],
  [
    'another agent than the one that acted',
    (s) => verdict(s, {}, { actor: { ...chains.hub.actor('principal'), certId: OTHER } }),
    /another certificate/,
  ],
  [
    'no certificate at all',
    (s) => verdict(s, {}, { actor: chains.hub.actor('principal') }),
    /another certificate/,
  ],
  [
    'another key for the same certificate',
    async (s) => {
      const other = await webCryptoSigner('Ed25519');
      await verdict(s, {}, {}, (asked: Asked) => coSign(asked, other));
    },
    /bound to another key/,
  ],
  [
    'a signature by another key than named',
    async (s) => {
      const other = await webCryptoSigner('Ed25519');
      await verdict(s, {}, {}, async (asked: Asked) => ({
        ...(await coSign(asked, other)),
        publicKey: encodeBase64Url(rawKey(chains.agent)),
      }));
    },
    /not one of its key/,
  ],
  [
    'a nonce used twice',
    async (s) => {
      const { coSignature } = s.chain.statements[0]!.predicate as unknown as RecordStatePredicate;
      const nonce = /nonce="([^"]+)"/.exec(
        (coSignature as { signatureInput: string }).signatureInput,
      )![1]!;
      await verdict(s, { nonce });
    },
    /belongs to another request/,
  ],
  [
    'one co-signature under two entries',
    async (s) => {
      const { coSignature } = s.chain.statements[1]!.predicate;
      await verdict(s, {}, { coSignature } as never);
    },
    /used on this chain before|belongs to another request/,
  ],
  [
    'a request at an entry that nobody co-signed',
    async (s) => {
      await verdict(s, {}, { coSignature: undefined });
    },
    /nobody co-signed/,
  ],
];

describe('a co-signature that an operator puts under something else', () => {
  it.each(LINES)('%s', async (_what, lie, said) => {
    const signed = await delivered();
    await lie(signed);
    const report = await verify(signed);
    expect(report.verdict).toBe('invalid');
    expect(
      report.failures.filter(({ position, detail }) => position === 3 && said.test(detail)),
      text(report.failures),
    ).not.toEqual([]);
    expect(new Set(report.failures.map((failure) => failure.class))).toEqual(
      new Set(['CHAIN_PAYLOAD_BINDING_MISMATCH']),
    );
  });

  it.each<[string, object, RegExp]>([
    ['other criteria', { criteria: { amount: '1.00' } }, /in criteria/],
    ['another type', { type: 'x' }, /in type/],
    ['another version', { contractVersion: 2 }, /in contractVersion/],
    ['another performer', { performerAgentId: OTHER }, /in performerAgentId/],
    ['another principal', { principalAgentId: OTHER }, /in principalAgentId/],
    ['another platformRef', { platformRef: 'x' }, /in platformRef/],
    ['another platform', { platform: 'x' }, /in platform/],
    ['a parent', { parentRecordId: OTHER }, /in parentRecordId/],
    ['no consent', { autoActivate: false }, /in autoActivate/],
    ['a deadline', { expiresAt: '2026-12-01T00:00:00.000Z' }, /in expiresAt/],
    ['a message', { message: 'x' }, /in message/],
    ['a subject', { onBehalfOf: { subject: { iss: 'i', sub: 's' } } }, /in onBehalfOf/],
  ])('a creation that asked for %s', async (_what, asked, said) => {
    const signed: Signed = { chain: chains.hub.chain(CRITERIA), requests: new Map() };
    const body = {
      type: 'invoice-approval',
      criteria: CRITERIA,
      performerAgentId: chains.hub.performer,
      autoActivate: true,
    };
    await append(
      signed,
      'RECORD_CREATED',
      { action: 'create', from: null, to: 'ACTIVE' },
      { actor: actor('principal') },
      { path: '/v1/records', body: text({ ...body, ...asked }) },
    );
    const report = await verify(signed);
    expect(report.failures.map(({ detail }) => detail)).toEqual([expect.stringMatching(said)]);
  });

  it('other evidence than was delivered', async () => {
    const signed = await delivered();
    signed.requests.clear();
    const body = text({ evidence: { invoice: 'other' } });
    await append(
      signed,
      'REVISION_REQUESTED',
      { action: 'revision', from: 'ACTIVE', to: 'REVISION_REQUESTED' },
      { actor: actor('principal') },
      { path: own(signed, 'revision'), body: '' },
    );
    await append(
      signed,
      'COMPLETION_SUBMITTED',
      { action: 'submit-completion', from: 'REVISION_REQUESTED', to: 'ACTIVE' },
      {
        actor: actor('performer'),
        completionId: chains.hub.id(),
        evidenceHash: hashJson(EVIDENCE),
      },
      { path: own(signed, 'completions'), body },
    );
    const report = await verify(signed);
    expect(report.failures.map(({ position, detail }) => [position, detail])).toEqual([
      [4, 'the entry differs from the co-signed request in evidence'],
    ]);
  });
});
