import { RunScan } from '../../application/vault/scan/run-scan.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { tellPeers } from '../support/wire-story-peers.ts';
import { documentedOperations } from '../support/documented-operations.ts';
import { differences, keptJson } from '../support/kept-json.ts';
import { OIDC_ENV, startOidc, type Oidc } from '../support/oidc.ts';
import { tellWebhooks } from '../support/wire-story-webhooks.ts';
import { WireRecorder, type Seen } from '../support/wire-recorder.ts';
import { tellRecords } from '../support/wire-story-records.ts';
import {
  tellAgents,
  tellBeginning,
  tellDocuments,
  tellIssuers,
  tellOperations,
  tellExemptions,
  tellOrgReads,
  tellTransparency,
  tellTypes,
  tellVault,
  type WireStory,
} from '../support/wire-story.ts';
import { mintKey, type Answer, type Body } from '../support/world.ts';

/** One fixed story, and every answer of it as a caller sees it: a change of any answer is seen here. */
const FILE = 'test/api/wire-pins.json';
const limit = {
  RATE_LIMIT_AGENT: '5000',
  RATE_LIMIT_ADMIN: '9000',
  RATE_LIMIT_PLATFORM: '7000',
  RATE_LIMIT_ANONYMOUS: '6000',
  RATE_LIMIT_RECORDS_CREATE: '90',
};
// Without its jobs: no pin can name the moment of their runs.
const api = useApi({ ROLE: 'api', ...OIDC_ENV, ...limit, MAX_BODY_BYTES: '65536' });
let oidc: Oidc;
let recorder: WireRecorder;
let story: WireStory;

beforeAll(async () => {
  oidc = await startOidc();
  recorder = new WireRecorder(api.world.url);
  story = await tellBeginning(api, recorder, oidc);
  await tellRecords(story);
  await tellTypes(story);
  await tellAgents(story);
  await tellIssuers(story);
  await tellWebhooks(story);
  await tellTransparency(story);
  await tellDocuments(story);
  await tellVault(story, () =>
    api.service.container.get(RunScan).run(new AbortController().signal),
  );
  await tellOrgReads(story);
  await tellExemptions(story);
  await tellOperations(story);
  await tellPeers(story, api);
  await tellLimits();
});
afterAll(() => oidc.close());

const notes = (count: number): readonly Body[] =>
  Array.from({ length: count }, (_, at) => ({ type: 'note', criteria: { at } }));

/** More items than a key may create in a minute at all, and in this one, and a repetition while the first request runs. */
const tellLimits = async (): Promise<void> => {
  const { client } = await mintKey(story.admin, String(story.ids['worker']), {});
  const worker = recorder.client('another key of the worker', client);
  for (const items of [100, 60, 60]) await worker.post('/v1/records/bulk', notes(items));
  recorder.note('someone in a hurry', 'POST', '/v1/records/bulk', await inFlight());
};

const inFlight = async (): Promise<Answer<Body>> => {
  for (let round = 0; round < 20; round++) {
    const { client } = await mintKey(api.world.admin, api.world.principal.id, {});
    const once = (): Promise<Answer<Body>> =>
      client.post('/v1/records/bulk', notes(20), { 'idempotency-key': `race ${round}` });
    const waiting = (await Promise.all([once(), once(), once()])).find(
      ({ status }) => status === 409,
    );
    if (waiting) return waiting;
  }
  throw new Error('no request met another one under its key');
};

it('every answer is the committed one; UPDATE_WIRE_PINS=1 writes them anew', () => {
  const now: { readonly [name: string]: Seen } = Object.fromEntries(recorder.seen);
  const before = keptJson(FILE, 'UPDATE_WIRE_PINS', now);
  const changed = Object.keys({ ...before, ...now }).flatMap((name) =>
    differences(before[name], now[name]).map((line) => `${name}: ${line}`),
  );
  expect(changed).toEqual([]);
});

it('every operation of the document is in the story', () => {
  const asked = (path: string): RegExp =>
    new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
  const isAsked = (name: string): boolean =>
    [...recorder.paths].some((one) => asked(name).test(one));
  expect(
    documentedOperations()
      .map(({ name }) => name)
      .filter((name) => !isAsked(name)),
  ).toEqual([]);
});

it('every code that a caller can meet is in the story', () => {
  expect([...recorder.codes].sort()).toEqual([
    'ACCOUNT_DEACTIVATED',
    'AMBIGUOUS_PUBLISHER',
    'CONFLICT',
    'CONFLICTING_VERSION',
    'FORBIDDEN',
    'INSUFFICIENT_SCOPE',
    'INVALID_ACTION',
    'METHOD_NOT_ALLOWED',
    'NOT_ACCEPTABLE',
    'NOT_FOUND',
    'ORG_REQUIRED',
    'PAYLOAD_TOO_LARGE',
    'PLATFORM_REQUIRED',
    'PRECONDITION_FAILED',
    'RATE_LIMITED',
    'RECORDS_REFERENCE_TYPE',
    'RESERVED_PUBLISHER_LABEL',
    'ROW_HAS_DEPENDENT_RECORDS',
    'SCHEMA_DIGEST_MISMATCH',
    'SCHEMA_VALIDATION_ERROR',
    'SERVICE_UNAVAILABLE',
    'STATUS_NOT_DISABLED',
    'UNAUTHORIZED',
    'UNPROCESSABLE_STATE',
    'UNSUPPORTED_MEDIA_TYPE',
    'VALIDATION_ERROR',
    'WEBHOOK_NOT_OWNED',
  ]);
});
