import { describe, expect, it } from 'vitest';
import { SubmitCompletion } from '../../application/record/submit-completion.ts';
import { TOKENS } from '../../config/tokens.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { expandScopes, SCOPE_PROFILES } from '../../domain/identity/scopes.ts';
import { useApi } from '../support/api.ts';
import { entryTypes, ok, openJob, sleep, type Body } from '../support/world.ts';

const api = useApi();

/** The submission as a process makes it that dies between the two transactions. */
const submitAndDie = async (recordId: string): Promise<void> => {
  const { container } = api.service;
  const { scopes } = SCOPE_PROFILES['agent-full'];
  const caller: Caller = { role: 'agent', authType: 'api_key', apiKeyId: null, agentId: api.world.performer.id, orgId: api.world.orgId, name: 'performer', scopes, allowed: expandScopes(scopes), allowedIps: null };
  const died = { afterSubmission: () => Promise.reject(new Error('the process died here')) };
  const submit = new SubmitCompletion(
    container.get(TOKENS.findRecord),
    container.get(TOKENS.actOnRecord),
    container.get(TOKENS.loadManifest),
    container.get(TOKENS.contentCheck),
    container.get(TOKENS.judgeCompletion),
    died as never,
    container.get(TOKENS.presentRecord),
    container.get(TOKENS.ids),
    container.get(TOKENS.log),
  );
  await submit.execute({ caller, requestId: 'left-behind' }, { recordId, evidence: { score: 9 } });
};

const pending = async (): Promise<string> => {
  const { id } = await openJob(api.world, { type: 'auto-job' });
  await submitAndDie(String(id));
  return String(id);
};
const read = (id: string): Promise<Body> => ok(api.world.principal.client.get(`/v1/records/${id}`));

describe('a completion that a crash left PENDING', () => {
  it('says so, and evaluate by the principal finishes it', async () => {
    const id = await pending();
    expect(await read(id)).toMatchObject({ status: 'ACTIVE', awaiting: 'gate', nextSteps: [{ action: 'evaluate' }, { action: 'cancel' }] });
    expect((await ok(api.world.principal.client.get(`/v1/records/${id}/gate-status`)))['phase2']).toMatchObject({ state: 'PENDING', results: [] });
    const done = await ok(api.world.principal.client.post(`/v1/records/${id}/transition`, { action: 'evaluate' }));
    expect(done).toMatchObject({ status: 'FULFILLED', signedStatement: { entryType: 'GATE_EVALUATED' } });
  });

  it('is finished by the job, once', async () => {
    const id = await pending();
    for (let tries = 0; tries < 150 && (await read(id))['status'] === 'ACTIVE'; tries++) await sleep(100);
    expect(await read(id)).toMatchObject({ status: 'FULFILLED' });
    expect(await entryTypes(api.world.principal.client, id)).toEqual(['RECORD_CREATED', 'COMPLETION_SUBMITTED', 'GATE_EVALUATED']);
  }, 20_000);
});
