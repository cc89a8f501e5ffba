import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../../application/call/call.port.ts';
import { SharedLooks, type Look } from '../../../application/call/shared-looks.ts';
import type { Caller } from '../../../domain/identity/caller.ts';

const CALLER = { role: 'agent' } as Caller;

const callBy = (token: string, address = '192.0.2.1'): Call =>
  ({ credential: () => token, address, requestId: token }) as unknown as Call;

const looks = () => {
  const opened: string[] = [];
  const answers = new Map<string, Error>();
  const open = async ({ requestId }: Call): Promise<Caller> => {
    opened.push(requestId);
    const error = answers.get(requestId);
    if (error) throw error;
    return CALLER;
  };
  return { shared: new SharedLooks({ open }, 10), opened, answers };
};

const untilTrue = async (is: () => boolean): Promise<void> => {
  for (let tries = 0; !is() && tries < 300; tries++) await sleep(5);
};

describe('looks at the credentials of streams', () => {
  it('one look serves all streams of one credential at one address, and no other', async () => {
    const { shared, opened } = looks();
    const told: string[] = [];
    const watch = (name: string, call: Call) => shared.watch(call, () => told.push(name));
    const ends = [
      ...Array.from({ length: 100 }, () => watch('a', callBy('a'))),
      watch('b', callBy('b')),
      watch('a elsewhere', callBy('a', '192.0.2.2')),
    ];
    await untilTrue(() => new Set(told).size === 3);
    const looked = opened.length;
    expect(looked).toBeLessThan(told.length / 10);
    expect(told.filter((name) => name === 'a').length).toBeGreaterThanOrEqual(100);
    for (const end of ends) end();
    await sleep(40);
    const after = opened.length;
    await sleep(40);
    expect(opened.length).toBe(after);
  });

  it('tells each why the credential no longer holds; who left hears nothing', async () => {
    const { shared, answers } = looks();
    const told: Look[] = [];
    const heardByLeaver: Look[] = [];
    const refusal = new Error('revoked');
    answers.set('a', refusal);
    const ends = [1, 2].map(() => shared.watch(callBy('a'), (look) => told.push(look)));
    const leave = shared.watch(callBy('a'), (look) => heardByLeaver.push(look));
    leave();
    leave();
    await untilTrue(() => told.length >= 2);
    expect(told.slice(0, 2)).toEqual([{ error: refusal }, { error: refusal }]);
    expect(heardByLeaver).toEqual([]);
    for (const end of ends) end();
  });
});
