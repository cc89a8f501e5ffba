import { describe, expect, it } from 'vitest';
import {
  contentFault,
  contentsNeeded,
  type ContentItem,
} from '../../../domain/federation/content.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { hashJson, hashText } from '../../../domain/kernel/digest.ts';

const criteria: ContentItem = { kind: 'criteria', hash: hashJson({ goal: 1 }), value: { goal: 1 } };
const message: ContentItem = { kind: 'message', hash: hashText('Hello.'), value: 'Hello.' };

describe('what a message brings', () => {
  const needed = contentsNeeded('counter-propose', {
    criteriaHash: criteria.hash,
    messageHash: message.hash,
  });

  it('is what its last entry hashes, of the action that brings it', () => {
    expect(needed).toEqual([
      { action: 'counter-propose', kind: 'criteria', hash: criteria.hash },
      { action: 'counter-propose', kind: 'message', hash: message.hash },
    ]);
    expect(contentsNeeded('accept', { criteriaHash: criteria.hash })).toEqual([]);
    expect(contentsNeeded('open-dispute', { dispute: { contentHash: 'ab' } })).toEqual([
      { action: 'open-dispute', kind: 'dispute', hash: 'ab' },
    ]);
  });

  it('fits in whatever order', () => {
    expect(contentFault(needed, [message, criteria])).toBeNull();
  });

  it.each<[string, readonly ContentItem[], RegExp]>([
    ['one missing', [criteria], /message .* missing/],
    ['another value', [{ ...criteria, value: { goal: 2 } }, message], /another hash/],
    ['one too many', [criteria, message, message], /no entry/],
    [
      'text in the place of an object',
      [{ ...criteria, kind: 'message', hash: message.hash }, criteria],
      /message/,
    ],
  ])('is not taken with %s', (_name, items, fault) => {
    expect(contentFault(needed, items)).toMatch(fault);
  });

  const opening = { grounds: 'late', statement: null, evidence: { log: 1 } };
  it.each<[string, string, JsonObject, boolean]>([
    ['an opening', 'open-dispute', opening, true],
    [
      'an opening without words',
      'open-dispute',
      { ...opening, grounds: null, evidence: null },
      true,
    ],
    ['an opening with a member beside', 'open-dispute', { ...opening, extra: 'x' }, false],
    ['an opening that lacks one', 'open-dispute', { grounds: null, statement: null }, false],
    ['an opening of other types', 'open-dispute', { ...opening, statement: 1 }, false],
    ['a piece of evidence', 'submit-dispute-evidence', { evidence: { log: 1 } }, true],
    ['evidence with a member beside', 'submit-dispute-evidence', { evidence: {}, extra: 1 }, false],
    ['evidence that is a text', 'submit-dispute-evidence', { evidence: 'log' }, false],
    ['an opening in the place of evidence', 'submit-dispute-evidence', opening, false],
  ])('of a dispute is what is kept of it: %s', (_name, action, value, isTaken) => {
    const item: ContentItem = { kind: 'dispute', hash: hashJson(value), value };
    const fault = contentFault(contentsNeeded(action, { dispute: { contentHash: item.hash } }), [
      item,
    ]);
    if (isTaken) expect(fault).toBeNull();
    else expect(fault).toMatch(/dispute has another form/);
  });
});
