import { describe, expect, it } from 'vitest';
import { OwnHeads } from '../../../application/sealing/own-heads.ts';
import { leafHash } from '../../../domain/transparency/rfc9162-tree.ts';
import { entryAfter, sampleOrg, uuid } from '../../contract/sql/samples.ts';

describe('the leaf of a head that this process wrote', () => {
  const chainKey = uuid();
  const orgId = sampleOrg().id;
  const first = entryAfter(chainKey, null, { orgId });
  const second = entryAfter(chainKey, first, { orgId });
  const heads = new OwnHeads();
  heads.remember(first, null);
  heads.remember(second, null);

  it('is that of its bytes, for its org', () => {
    expect(heads.leafOf(second)).toEqual({ orgId, hash: leafHash(second.coseSign1) });
  });

  it('is not known of another entry at its place, which another process may have committed', () => {
    const other = entryAfter(chainKey, first, { orgId, at: '2031-01-01T00:00:00.009Z' });
    expect(other.position).toBe(second.position);
    expect(heads.leafOf(other)).toBeNull();
  });

  it('is not known of an entry that is no longer the newest, nor of a chain of others', () => {
    expect(heads.leafOf(first)).toBeNull();
    expect(heads.leafOf({ ...second, chainKey: uuid() })).toBeNull();
  });

  it('does not exist where the entry is of no org', () => {
    const platform = entryAfter('platform', null, { orgId: null });
    heads.remember(platform, null);
    expect(heads.leafOf(platform)).toBeNull();
  });
});
