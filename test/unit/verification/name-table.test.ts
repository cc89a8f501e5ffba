import { describe, expect, it } from 'vitest';
import { NameTable } from '../../../domain/verification/dump/registry/name-table.ts';

describe('two numbers a name', () => {
  it('stand after the table has grown as they did before, and can be changed', () => {
    const table = new NameTable();
    const names = Array.from({ length: 20_000 }, (_, index) => `name ${index}`);
    for (const [index, name] of names.entries()) table.set(name, index, 2 ** 32 - 1 - index);
    for (const [index, name] of names.entries()) if (index % 2 === 0) table.set(name, index + 1);
    for (const [index, name] of names.entries())
      expect(table.get(name)).toEqual(
        index % 2 === 0 ? [index + 1, 0] : [index, 2 ** 32 - 1 - index],
      );
    expect(table.get('name 20000')).toBeNull();
  });
});
