import { beforeEach, describe, expect, it } from 'vitest';
import type { RpcCall } from '../../../adapters/a2a/rpc-call.ts';
import { SharedLooks } from '../../../adapters/a2a/shared-looks.ts';
import { SharedTexts } from '../../../adapters/a2a/shared-texts.ts';
import type { RecordView } from '../../../adapters/a2a/task.ts';
import type { Caller } from '../../../domain/identity/caller.ts';

const RECORD = 'record-1';
const callOf = (caller: Partial<Caller>, isCoSigned = false): RpcCall =>
  ({
    caller: { role: 'agent', agentId: 'a', authType: 'api_key', allowed: new Set(), ...caller },
    isCoSigned,
  }) as unknown as RpcCall;

describe('streams that wake for one event', () => {
  let reads: number;
  let looks: SharedLooks;
  beforeEach(() => {
    reads = 0;
    looks = new SharedLooks();
  });
  const read = async (): Promise<RecordView> => {
    reads++;
    await new Promise((resolve) => setImmediate(resolve));
    return { id: RECORD, rootRecordId: RECORD } as RecordView;
  };
  const all = (calls: readonly RpcCall[], event: number | null = 7) =>
    Promise.all(calls.map((call) => looks.of(call, RECORD, event, read)));

  it('read the record once for one agent, and make one text of it', async () => {
    const [one, other] = await all([callOf({ apiKeyId: 'k1' }), callOf({ apiKeyId: 'k2' })]);
    expect(reads).toBe(1);
    const texts = new SharedTexts();
    expect(texts.of(one!.update, (update) => update)).toBe(texts.of(other!.update, () => ({})));
  });

  it.each<[string, RpcCall]>([
    ['another agent', callOf({ agentId: 'b' })],
    ['a key with other scopes', callOf({ allowed: new Set(['records:read'] as const) })],
    ['a caller whose call was signed', callOf({}, true)],
    ['an administrator, whose reads are logged', callOf({ role: 'admin' })],
  ])('read it anew for %s', async (_, call) => {
    await all([callOf({}), call, call]);
    expect(reads).toBe(call.caller?.role === 'admin' || call.isCoSigned ? 3 : 2);
  });

  it('read it anew for another event, without one, and after a failure', async () => {
    await all([callOf({})], 7);
    await all([callOf({})], 8);
    await all([callOf({}), callOf({})], null);
    expect(reads).toBe(4);
    const failing = (): Promise<never> => Promise.reject(new Error('away'));
    await expect(looks.of(callOf({}), RECORD, 9, failing)).rejects.toThrow('away');
    await all([callOf({})], 9);
    expect(reads).toBe(5);
  });
});
