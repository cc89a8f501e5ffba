import { SubmitCompletion } from '../../application/record/submit-completion.ts';
import { TOKENS } from '../../config/tokens.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { expandScopes, SCOPE_PROFILES } from '../../domain/identity/scopes.ts';
import type { Api } from './api.ts';

/** The submission of the world's performer as a process makes it that dies between the two transactions. */
export const submitAndDie = async (api: Api, recordId: string): Promise<void> => {
  const { container } = api.service;
  const { scopes } = SCOPE_PROFILES['agent-full'];
  const caller: Caller = {
    role: 'agent',
    authType: 'api_key',
    apiKeyId: null,
    agentId: api.world.performer.id,
    orgId: api.world.orgId,
    name: 'performer',
    scopes,
    allowed: expandScopes(scopes),
    allowedIps: null,
    cert: null,
    oidc: null,
  };
  const died = { afterSubmission: () => Promise.reject(new Error('the process died here')) };
  const submit = new SubmitCompletion(
    container.get(TOKENS.findRecord),
    container.get(TOKENS.actOnRecord),
    container.get(TOKENS.loadManifest),
    container.get(TOKENS.contentCheck),
    container.get(TOKENS.children),
    container.get(TOKENS.judgeCompletion),
    died as never,
    container.get(TOKENS.presentRecord),
    container.get(TOKENS.ids),
    container.get(TOKENS.log),
  );
  await submit.execute({ caller, requestId: 'left-behind' }, { recordId, evidence: { score: 9 } });
};
