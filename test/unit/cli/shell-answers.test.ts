import { expect, it } from 'vitest';
import { Pages, type Page } from '../../../adapters/client/pages.ts';
import { bearer } from '../../../adapters/client/credential.ts';
import { NotaryClient } from '../../../adapters/client/notary-client.ts';
import { collectItems } from '../../../adapters/cli/shell/collect-items.ts';
import { nextCommands } from '../../../adapters/cli/shell/next-commands.ts';

const id = '01a00000-0000-7000-8000-000000000000';

it.each([0, 100])('a listing that does not end, of %i items a page, is left', async (size) => {
  let count = 0;
  const listing = new Pages<Page<number>>(() =>
    Promise.resolve({
      data: Array.from({ length: size }, () => 0),
      total: 1,
      hasMore: true,
      nextCursor: `${(count += 1)}`,
    }),
  );
  await expect(collectItems(listing)).rejects.toThrow('does not end');
  expect((await collectItems(listing, size === 0 ? 0 : 5)).items).toHaveLength(size === 0 ? 0 : 5);
});

it.each(['svc_secret\nsvc_second', 'svc_secret\u201d', 'svc_secret\u0000', 'two svc_secret', ''])(
  'a credential that no header can hold is refused without being shown: %j',
  async (credential) => {
    const client = new NotaryClient({ url: 'http://127.0.0.1:1', credential });
    const error = await client.whoami().catch((cause: unknown) => cause as Error);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).not.toContain('secret');
  },
);

it('a credential with a line end behind it is that credential', () => {
  expect(bearer('svc_key\n')).toBe('Bearer svc_key');
});

it.each([
  ['accept --context other', `/v1/records/${id}/accept`],
  ['--help', `/v1/records/${id}/accept`],
  ['look', '/x -o /etc/passwd'],
  ['look', '-o/etc/passwd'],
])('a step %j at %j, which is more than a word, is no command', (action, href) => {
  for (const method of ['GET', 'POST'] as const) {
    const step = { action, method, href, description: '' };
    expect(nextCommands(id, [step], { flag: '' })).toEqual([]);
  }
});

it('no command is made of an id that is none', () => {
  const step = { action: 'accept', method: 'POST', href: '/x', description: '' } as const;
  expect(nextCommands(id, [step], { flag: '' })).toHaveLength(1);
  expect(nextCommands(`${id} --counter`, [step], { flag: '' })).toEqual([]);
});
