import { expect, it } from 'vitest';
import { openStream } from '../../../application/call/open-stream.ts';
import { SharedLooks } from '../../../application/call/shared-looks.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { sleep } from '../../support/service/world.ts';

it('a credential that ended is looked at no more, although its reader has not left yet', async () => {
  let looks = 0;
  const open = (): Promise<never> => {
    looks++;
    return Promise.reject(new NotaryError('UNAUTHORIZED', 'revoked'));
  };
  const call = { credential: () => 'key', address: '192.0.2.1' };
  const caller = { role: 'agent', scopes: [] };
  const stream = openStream({ call, caller } as never, { scope: 'events:read' } as never, {
    looks: new SharedLooks({ open }, 10),
    budgets: { occupy: () => () => undefined } as never,
  });
  await sleep(100);
  expect([stream.signal.aborted, looks]).toEqual([true, 1]);
  stream.close();
});
