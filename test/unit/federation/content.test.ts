import { describe, expect, it } from 'vitest';
import {
  contentFault,
  contentsNeeded,
  type ContentItem,
} from '../../../domain/federation/content.ts';
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
      { kind: 'criteria', hash: criteria.hash },
      { kind: 'message', hash: message.hash },
    ]);
    expect(contentsNeeded('accept', { criteriaHash: criteria.hash })).toEqual([]);
    expect(contentsNeeded('open-dispute', { dispute: { contentHash: 'ab' } })).toEqual([
      { kind: 'dispute', hash: 'ab' },
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
});
