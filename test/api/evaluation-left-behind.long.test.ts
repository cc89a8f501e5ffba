import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { submitAndDie } from '../support/attackers/left-behind.ts';
import { entryTypes, ok, openJob, type Body } from '../support/service/world.ts';

const api = useApi();

const pending = async (): Promise<string> => {
  const { id } = await openJob(api.world, { type: 'auto-job' });
  await submitAndDie(api, String(id));
  return String(id);
};
const read = (id: string): Promise<Body> => ok(api.world.principal.client.get(`/v1/records/${id}`));

describe('a completion that a crash left PENDING', () => {
  it('says so, and evaluate by the principal finishes it', async () => {
    const id = await pending();
    expect(await read(id)).toMatchObject({
      status: 'ACTIVE',
      awaiting: 'gate',
      nextSteps: [{ action: 'evaluate' }, { action: 'cancel' }],
    });
    expect(
      (await ok(api.world.principal.client.get(`/v1/records/${id}/gate-status`)))['phase2'],
    ).toMatchObject({ state: 'PENDING', results: [] });
    const done = await ok(
      api.world.principal.client.post(`/v1/records/${id}/transition`, { action: 'evaluate' }),
    );
    expect(done).toMatchObject({
      status: 'FULFILLED',
      signedStatement: { entryType: 'GATE_EVALUATED' },
    });
  });

  it('is finished by the job, once', async () => {
    const id = await pending();
    await expect
      .poll(async () => (await read(id))['status'] as unknown, { interval: 100 })
      .not.toBe('ACTIVE');
    expect(await read(id)).toMatchObject({ status: 'FULFILLED' });
    expect(await entryTypes(api.world.principal.client, id)).toEqual([
      'RECORD_CREATED',
      'COMPLETION_SUBMITTED',
      'GATE_EVALUATED',
      'SIGNAL_EMITTED',
    ]);
  });
});
