import { ActOnRecord } from '../../../application/record/act-on-record.ts';
import { Children } from '../../../application/record/children.ts';
import { ContentCheck } from '../../../application/record/content-check.ts';
import { FindRecord } from '../../../application/record/find-record.ts';
import { JudgeCompletion } from '../../../application/record/judge-completion.ts';
import { LoadRecordType } from '../../../application/record/load-record-type.ts';
import { PresentRecord } from '../../../application/record/present-record.ts';
import { SubmitCompletion } from '../../../application/record/submit-completion.ts';
import { TOKENS } from '../../../config/tokens.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { expandScopes, SCOPE_PROFILES } from '../../../domain/identity/scopes.ts';
import type { Api } from '../service/api.ts';
import { ok } from '../service/world.ts';

/** The submission of the world's performer as a process makes it that dies between the two transactions. */
export const submitAndDie = async (
  api: Pick<Api, 'service' | 'world'>,
  recordId: string,
): Promise<void> => {
  const { container } = api.service;
  const me = await ok(api.world.performer.client.get('/v1/auth/me'));
  const { scopes } = SCOPE_PROFILES['agent-full'];
  const caller: Caller = {
    role: 'agent',
    authType: 'api_key',
    apiKeyId: String(me['apiKeyId']),
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
    container.get(FindRecord),
    container.get(ActOnRecord),
    container.get(LoadRecordType),
    container.get(ContentCheck),
    container.get(Children),
    container.get(JudgeCompletion),
    died as never,
    container.get(PresentRecord),
    container.get(TOKENS.ids),
    container.get(TOKENS.log),
  );
  await submit.execute({ caller, requestId: 'left-behind' }, { recordId, evidence: { score: 9 } });
};
