/**
 * Two agents and a notary, over A2A, by the official client (@a2a-js/sdk). One opens a job and watches it; the other
 * accepts and delivers; the first judges, and what the notary sealed is verified offline. Run it with `npm run example:a2a`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Role, TaskState, type Message, type Task } from '@a2a-js/sdk';
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  type Client,
} from '@a2a-js/sdk/client';
import { PinoLog } from '../../adapters/system/pino-log.ts';
import { BootstrapPlatform } from '../../application/operations/bootstrap-platform.ts';
import { startService } from '../../config/service.ts';
import { loadSettings } from '../../config/settings.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';

/** JSON whose members the example knows. */
type Json = ReturnType<typeof JSON.parse>;

/** An A2A client with an API key. Nothing else is needed. */
const connect = async (url: string, apiKey: string): Promise<Client> => {
  const fetchImpl: typeof fetch = (input, init) =>
    fetch(input, {
      ...init,
      headers: { ...(init?.headers as object), authorization: `Bearer ${apiKey}` },
    });
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  return factory.createFromUrl(url);
};

/** A message with one data part. Its id is the key under which it acts once. */
const messageOf = (data: Json, taskId = ''): Message => ({
  messageId: crypto.randomUUID(),
  contextId: '',
  taskId,
  role: Role.ROLE_USER,
  parts: [
    { content: { $case: 'data', value: data }, metadata: undefined, filename: '', mediaType: '' },
  ],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});
/** Without `returnImmediately` a message would wait for the other agent. */
const paramsOf = (message: Message) => ({
  tenant: '',
  message,
  configuration: {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    historyLength: undefined,
    returnImmediately: true,
  },
  metadata: undefined,
});

const send = (client: Client, data: Json, taskId?: string): Promise<Message | Task> =>
  client.sendMessage(paramsOf(messageOf(data, taskId)));
const act = async (client: Client, data: Json, taskId?: string): Promise<Task> =>
  (await send(client, data, taskId)) as Task;
const firstArtifact = ({ artifacts }: Task): Json => artifacts[0]?.parts[0]?.content?.value;
const say = (who: string, what: string): void => console.log(`${who.padEnd(10)} ${what}`);

/** The whole path between two agents. */
const gatePath = async (principal: Client, performer: Client, performerId: string) => {
  const note = { type: 'note', criteria: { text: 'The invoice was paid.' } };
  const noted = await act(principal, { skill: 'notarize', input: note });
  say('principal', `notarized ${noted.id}: ${TaskState[noted.status!.state]}`);

  const job = { type: 'job', criteria: { goal: 'Summarise', threshold: 5 } };
  const input = { ...job, performerAgentId: performerId };
  const opened = messageOf({ skill: 'open-record', input });
  let id = '';
  let judged: unknown = null;
  for await (const { payload } of principal.sendMessageStream(paramsOf(opened))) {
    if (payload?.$case === 'task') {
      id = payload.value.id;
      say('principal', `offered ${id}`);
      void work(performer, id);
    }
    if (payload?.$case !== 'statusUpdate') continue;
    const { status } = payload.value;
    say('stream', TaskState[status!.state]);
    const { latestCompletionId } = firstArtifact(await get(principal, id));
    // What the task shows may be newer than the change that the stream tells of.
    if (latestCompletionId === null || latestCompletionId === judged) continue;
    if (status?.state !== TaskState.TASK_STATE_WORKING) continue;
    judged = latestCompletionId;
    const verdict = { completionId: latestCompletionId, verdict: 'accept' };
    await act(principal, { skill: 'render-verdict', input: verdict }, id);
    say('principal', 'accepted the work');
  }
  return id;
};

/** What the performer does when it is asked. */
const work = async (performer: Client, id: string): Promise<void> => {
  await act(performer, { skill: 'respond-to-proposal', input: { action: 'accept' } }, id);
  say('performer', 'accepted the offer');
  await act(performer, { skill: 'submit-completion', input: { evidence: { score: 9 } } }, id);
  say('performer', 'delivered');
};

const get = (client: Client, id: string): Promise<Task> =>
  client.getTask({ tenant: '', id, historyLength: undefined });

/** A notary with an org, two agents and two record types, in a folder of its own. */
const prepare = async (directory: string) => {
  const env = {
    PORT: '0',
    GRPC_PORT: '0',
    DATA_DIR: join(directory, 'data'),
    KEYS_DIR: join(directory, 'keys'),
  };
  const { settings } = loadSettings(env, { cwd: directory });
  const service = await startService(settings, new PinoLog('error', process.stderr));
  const { apiKey } = await service.container.get(BootstrapPlatform).execute();
  const url = String(service.url);
  const post = async (path: string, key: string, body: Json): Promise<Json> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Json;
  };
  const org = await post('/v1/admin/orgs', apiKey, { name: 'Example', bootstrapAdmin: true });
  const adminKey = String(org['bootstrapKey'].apiKey);
  await post('/v1/schemas', adminKey, { type: 'note', completionSchema: {}, criteriaSchema: {} });
  await post('/v1/schemas', adminKey, {
    type: 'job',
    criteriaSchema: { type: 'object', required: ['goal'] },
    completionSchema: { type: 'object', properties: { score: { type: 'integer' } } },
  });
  const agent = async (name: string) => {
    const { id } = await post('/v1/admin/agents', adminKey, { name, orgId: org['id'] });
    const owner = { role: 'agent', ownerType: 'agent', ownerId: id, label: name };
    const minted = await post('/v1/admin/api-keys', adminKey, {
      ...owner,
      scopeProfile: 'agent-full',
    });
    return { id: String(id), client: await connect(url, String(minted['apiKey'])) };
  };
  return { service, principal: await agent('principal'), performer: await agent('performer') };
};

const directory = mkdtempSync(join(tmpdir(), 'notary-a2a-'));
const { service, principal, performer } = await prepare(directory);
try {
  const id = await gatePath(principal.client, performer.client, performer.id);
  const exported = (await send(principal.client, {
    skill: 'verify',
    input: { recordId: id },
  })) as Message;
  const { verdict } = await verifyAuditExport(JSON.stringify(exported.parts[0]?.content?.value), {
    trust: trustOf({ kind: 'none' }),
    trustEmbedded: true,
  });
  say('offline', `the chain is ${verdict}`);
} finally {
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
}
