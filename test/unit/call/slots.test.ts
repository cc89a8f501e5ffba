import { describe, expect, it } from 'vitest';
import { Slots, type GiveBack, type SlotOwner } from '../../../application/call/slots.ts';

const open = () =>
  new Slots({
    exports: { key: 1, org: 0, node: 0 },
    streams: { key: 2, org: 3, node: 4 },
  });
const owner = (key: string, org: string | null): SlotOwner => ({ key, org });

describe('slots', () => {
  it('are counted by key, by org and on the node, and the refusal says which are taken', () => {
    const slots = open();
    const held: GiveBack[] = [];
    const take = (key: string, org: string | null): void =>
      void held.push(slots.take('streams', owner(key, org)));
    take('a', 'acme');
    take('a', 'acme');
    expect(() => take('a', 'acme')).toThrow('This key has 2 streams under way');
    take('b', 'acme');
    expect(() => take('c', 'acme')).toThrow('The keys of this org have 3 streams under way');
    take('d', 'other');
    expect(() => take('e', null)).toThrow('This node has 4 streams under way');
    slots.take('exports', owner('a', 'acme'));
    expect(() => slots.take('exports', owner('a', 'acme'))).toThrow('This key has 1 exports');
  });

  it('come back once, also those of the org and the node', () => {
    const slots = open();
    const all = ['a', 'a', 'b'].map((key) => slots.take('streams', owner(key, 'acme')));
    all[0]!();
    all[0]!();
    slots.take('streams', owner('c', 'acme'));
    expect(() => slots.take('streams', owner('c', 'acme'))).toThrow('org');
  });

  it('that are refused take nothing', () => {
    const slots = open();
    const back = ['a', 'a', 'b'].map((key) => slots.take('streams', owner(key, 'acme')));
    for (let i = 0; i < 9; i++)
      expect(() => slots.take('streams', owner('c', 'acme'))).toThrow('org');
    for (const give of back) give();
    for (const key of ['c', 'c', 'd']) slots.take('streams', owner(key, 'acme'));
    slots.take('streams', owner('e', null));
    expect(() => slots.take('streams', owner('e', null))).toThrow('node');
  });
});
