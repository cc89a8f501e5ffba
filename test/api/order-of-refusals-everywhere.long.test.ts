import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import {
  documentedOperations,
  type DocumentedOperation,
} from '../support/runner/documented-operations.ts';
import {
  ASKED_TOO_OFTEN,
  FAILED_TOO_OFTEN,
  ORDER_OF_REFUSALS,
  sent,
  takesKey,
  usedKey,
  type Ask,
  type Fault,
  type Stage,
} from '../support/stories/order-of-refusals.ts';
import { expectProblem, expectProblemForm } from '../support/stories/problems.ts';
import { issuer, registerKey, statement } from '../support/vectors/statements.ts';
import { addAgent, Client, mintKey, ok, type Answer, type Body } from '../support/service/world.ts';

const MAX_BODY_BYTES = 16_384;
const AGENT_LIMIT = 300;
const api = useApi({
  RATE_LIMIT_AGENT: String(AGENT_LIMIT),
  RATE_LIMIT_ANONYMOUS: '40',
  MAX_BODY_BYTES: String(MAX_BODY_BYTES),
  TRUSTED_PROXIES: '127.0.0.1/32',
});
const operations = documentedOperations();
const usedKeys = new Map<string, string>();
let stage: Stage;

let addresses = 0;
/** A request of the operation that nothing is wrong with, but that it names what is not there. */
const plain = (operation: DocumentedOperation, key = stage.keys.platform): Ask => ({
  key,
  address: `203.0.113.${1 + (addresses++ % 250)}`,
  path: operation.examplePath,
  query: '',
  headers: operation.bodyType === null ? {} : { 'content-type': operation.bodyType },
  body: operation.bodyType === null ? undefined : sent(operation.bodyType, operation.exampleBody),
});

const send = ({ method }: DocumentedOperation, ask: Ask): Promise<Answer<Body>> =>
  new Client(api.world.url, ask.key).call(method, `${ask.path}${ask.query}`, ask.body, {
    ...ask.headers,
    'x-forwarded-for': ask.address,
  });

/** What the service says to a request that earns all of these. */
const told = async (operation: DocumentedOperation, faults: readonly Fault[]): Promise<string> => {
  const ask = plain(operation);
  for (const fault of faults) fault.earn(ask, operation, stage);
  const answer = await send(operation, ask);
  if (answer.status >= 400) expectProblemForm(answer);
  const { status, body } = answer;
  const isFirst =
    faults[0]!.tells?.test(`${String(body['reason'])} ${String(body['detail'])}`) ?? true;
  return `${status} ${String(body['code'])}${isFirst ? '' : `: ${String(body['detail'])}`}`;
};

const askUntilRefused = async (ask: () => Promise<Answer<Body>>): Promise<void> => {
  for (let round = 0; round < 40; round++) {
    const answers = await Promise.all(Array.from({ length: 25 }, ask));
    if (answers.some(({ status }) => status === 429)) return;
  }
  throw new Error('it is never refused');
};

/** A key of some owner under which the operation was asked and its answer kept; a kept 400 would prove too little. */
const useUp = async (operation: DocumentedOperation, owners: readonly Client[]): Promise<void> => {
  for (const { key } of owners) {
    const ask = plain(operation, String(key));
    ask.headers['idempotency-key'] = usedKey(operation.name);
    const { status } = await send(operation, ask);
    const again = status === 400 ? null : await send(operation, ask);
    if (again?.headers.get('idempotency-replayed') === 'true') {
      usedKeys.set(operation.name, String(key));
      return;
    }
  }
};

beforeAll(async () => {
  const { platform, admin, principal, anonymous } = api.world;
  const { ownerId } = await ok(platform.get('/v1/auth/me'));
  const narrow = { scopes: ['webhooks:read'] };
  const asPlatform = { role: 'platform', scopeProfile: 'platform-full' };
  const tired = await mintKey(admin, principal.id, narrow);
  const revoked = await mintKey(admin, principal.id, narrow);
  const spare = await mintKey(platform, String(ownerId), asPlatform);
  const keys = {
    platform: String(platform.key),
    tired: String(tired.client.key),
    tiredAndRevoked: String(revoked.client.key),
    narrow: String((await mintKey(admin, principal.id, narrow)).client.key),
    narrowElsewhere: String(
      (await mintKey(admin, principal.id, { scopes: ['events:read'] })).client.key,
    ),
    unseen: String((await mintKey(platform, String(ownerId), asPlatform)).client.key),
  };
  stage = { maxBodyBytes: MAX_BODY_BYTES, keys, usedKeys };
  await Promise.all([
    askUntilRefused(() => tired.client.get('/v1/auth/me')),
    askUntilRefused(() => revoked.client.get('/v1/auth/me')),
    askUntilRefused(() => anonymous.get('/predicates', { 'x-forwarded-for': ASKED_TOO_OFTEN })),
    askUntilRefused(() => anonymous.get('/v1/auth/me', { 'x-forwarded-for': FAILED_TOO_OFTEN })),
  ]);
  await ok(admin.patch(`/v1/admin/api-keys/${revoked.keyId}`, { isActive: false }));
  // No example of a document is signed by a key that is registered here.
  const issuerKey = issuer('Ed25519');
  await registerKey(admin, principal.id, issuerKey, ['https://issuer.example']);
  const signed = (sub: string): string =>
    Buffer.from(statement(issuerKey, { sub })).toString('base64');
  for (const one of operations.filter(({ bodyType }) => bodyType === 'application/cose'))
    Object.assign(one, { exampleBody: signed('one'), otherBody: signed('other') });
  for (const one of operations.filter(takesKey))
    await useUp(one, [spare.client, admin, principal.client]);
});

it('every operation that takes an Idempotency-Key keeps an answer under it', () => {
  expect([...usedKeys.keys()]).toEqual(operations.filter(takesKey).map(({ name }) => name));
});

describe('each refusal alone, and before the next one', () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s',
    async (_name, operation) => {
      const faults = ORDER_OF_REFUSALS.filter(({ applies }) => applies(operation));
      for (const [at, fault] of faults.entries()) {
        const next = faults[at + 1];
        const earned = next ? [[fault], [fault, next]] : [[fault]];
        for (const both of earned) {
          const names = both.map(({ name }) => name).join(', and ');
          expect(`${names}: ${await told(operation, both)}`).toBe(
            `${names}: ${fault.refusal(operation)}`,
          );
        }
      }
    },
  );
});

describe('the items of a bulk', () => {
  const BULK = '/v1/records/bulk';
  const items = Array.from({ length: 100 }, () => ({ type: 'of-nobody', criteria: {} }));
  const statusesOf = async (
    calls: number,
    call: () => Promise<Answer<Body>>,
  ): Promise<number[]> => {
    const statuses: number[] = [];
    for (let at = 0; at < calls; at++) statuses.push((await call()).status);
    return statuses;
  };

  it('count after the shape, of a repetition too, and before the key is looked at or anything is done', async () => {
    const { client } = await addAgent(api.world.admin, api.world.orgId, 'bulk');
    const key = { 'idempotency-key': 'k' };
    const bulks = AGENT_LIMIT / items.length - 1;
    expect(await statusesOf(bulks, () => client.post(BULK, items, key))).toEqual([207, 207]);
    // One hundred items and as many of the repetition; a further bulk of one hundred finds too little left.
    expectProblem(await client.post(BULK, [...items, items[0]]), 400, 'VALIDATION_ERROR');
    expectProblem(await client.post(BULK, items), 429, 'RATE_LIMITED');
    expectProblem(await client.post(BULK, items, key), 429, 'RATE_LIMITED');
    const another = items.map((item) => ({ ...item, type: 'of-nobody-else' }));
    expectProblem(await client.post(BULK, another, key), 429, 'RATE_LIMITED');
    expectProblem(await client.post(BULK, another.slice(1, 3), key), 422, 'VALIDATION_ERROR');
  });
});

describe('beside the table', () => {
  it('an account that is deactivated is told so before its limit', async () => {
    const { admin, orgId } = api.world;
    const leaver = await addAgent(admin, orgId, 'leaver');
    await askUntilRefused(() => leaver.client.get('/v1/auth/me'));
    await ok(admin.post(`/v1/admin/agents/${leaver.id}/deactivate`));
    expectProblem(await leaver.client.get('/v1/admin/agents'), 403, 'ACCOUNT_DEACTIVATED');
  });

  it('a body without a media type is read before it is refused for that: too large comes first', async () => {
    const { url, key } = api.world.principal.client;
    const statusOf = async (size: number): Promise<number> => {
      const headers = { authorization: `Bearer ${String(key)}` };
      const body = new Uint8Array(size).fill(0x20);
      return (await fetch(`${url}/v1/records`, { method: 'POST', headers, body })).status;
    };
    expect([await statusOf(MAX_BODY_BYTES + 1), await statusOf(1)]).toEqual([413, 415]);
  });

  it('a method that the path does not take is told after the limit of the address, to anybody', async () => {
    const { anonymous } = api.world;
    expectProblem(await anonymous.call('PUT', '/v1/records', '{'), 405, 'METHOD_NOT_ALLOWED');
    const tired = { 'x-forwarded-for': ASKED_TOO_OFTEN };
    expectProblem(await anonymous.call('PUT', '/v1/records', '{', tired), 429, 'RATE_LIMITED');
    expectProblem(await anonymous.get('/nowhere', tired), 429, 'RATE_LIMITED');
  });
});
