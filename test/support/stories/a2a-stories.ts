import { KIND_STATUS } from '../../../adapters/http/problem.ts';
import { PROBLEM_TYPE } from '../../../adapters/a2a/rpc-error.ts';
import { skillFor } from '../../../adapters/a2a/skills.ts';
import type { ErrorKind } from '../../../domain/kernel/errors.ts';
import type { Step, StoryFrontEnd, Told } from './story-front-end.ts';
import { Client, type Body } from '../service/world.ts';

/** One call of JSON-RPC; the answer as it came. */
export const rpc = async (
  client: Client,
  method: string,
  params: unknown,
  headers: Readonly<Record<string, string>> = { 'a2a-version': '1.0' },
): Promise<Body> =>
  (await client.post('/a2a', { jsonrpc: '2.0', id: 1, method, params }, headers)).body;

/** Tells stories by messages of A2A, each with one data part. */
export class A2aStories implements StoryFrontEnd {
  constructor(private readonly url: string) {}

  async perform({ credential, operation, input, key, expectedVersions }: Step): Promise<Told> {
    const skill = skillFor(operation, String(input['action'] ?? ''))?.id;
    if (!skill) throw new TypeError(`A2A does not bind ${operation}`);
    const data = { skill, operation, input, expectedVersions };
    const message = {
      messageId: key ?? crypto.randomUUID(),
      role: 'ROLE_USER',
      parts: [{ text: 'A step of the story.' }, { data }],
    };
    const client = new Client(this.url, credential);
    const configuration = { returnImmediately: true };
    return toldBy(await rpc(client, 'SendMessage', { message, configuration }));
  }
}

const toldBy = ({ result, error }: Body): Told => {
  if (error) {
    const [info, problem] = error.data as readonly [Body, Body];
    if (problem['@type'] !== PROBLEM_TYPE) throw new TypeError('the problem is not the second');
    const { detail, errors, requestId, status } = problem;
    return {
      isReplay: info['metadata'].idempotencyReplayed === 'true',
      refusal: { kind: kinds.get(status)!, detail, errors: errors ?? [], requestId },
    };
  }
  const { task, message } = result;
  const { metadata } = task ?? message;
  const { version, isNew, idempotencyReplayed = false } = metadata as Body;
  const view = (task ? task.artifacts[0] : message).parts[0].data as Body;
  return {
    isReplay: idempotencyReplayed,
    view,
    ...(version === undefined ? {} : { version }),
    ...(isNew === undefined ? {} : { isNew }),
  };
};

const kinds: ReadonlyMap<number, ErrorKind> = new Map(
  Object.entries(KIND_STATUS).map(([kind, status]) => [status, kind as ErrorKind]),
);
