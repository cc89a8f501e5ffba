import { beforeAll, describe, expect, it } from 'vitest';
import { BINDINGS } from '../../adapters/rest/bindings.ts';
import { CallGateway } from '../../application/call/call-gateway.ts';
import { OPERATIONS } from '../../config/operations.ts';
import { parseStatement } from '../../domain/vault/parsed-statement.ts';
import { A2aStories } from '../support/stories/a2a-stories.ts';
import { useApi, type Api } from '../support/service/api.ts';
import { commonForm, withoutIds } from '../support/stories/common-form.ts';
import { PlainStories } from '../support/stories/plain-stories.ts';
import { GrpcStories } from '../support/stories/grpc-stories.ts';
import { McpStories } from '../support/stories/mcp-stories.ts';
import { RestStories } from '../support/stories/rest-stories.ts';
import { tellStory, type Performed } from '../support/stories/stories.ts';
import type { StoryFrontEnd } from '../support/stories/story-front-end.ts';
import { chainOf, createWorld, type Body, type World } from '../support/service/world.ts';

/** Every front-end by which the service can be called. */
const FRONT_ENDS: { readonly [name: string]: (api: Api) => StoryFrontEnd } = {
  REST: ({ world }) => new RestStories(world.url, BINDINGS),
  gRPC: ({ service }) => new GrpcStories(String(service.grpc)),
  A2A: ({ world }) => new A2aStories(world.url),
  MCP: ({ world }) => new McpStories(world.url),
  'no protocol': ({ service }) => new PlainStories(service.container.get(CallGateway), OPERATIONS),
};

const api = useApi({ GRPC_PORT: '0' });
const names = Object.keys(FRONT_ENDS);
const tellings = new Map<
  string,
  { readonly world: World; readonly calls: readonly Performed[]; readonly frontEnd: StoryFrontEnd }
>();
const told = (name: string) => tellings.get(name)!;

beforeAll(async () => {
  for (const [name, open] of Object.entries(FRONT_ENDS)) {
    const world = await createWorld(api.world.url, String(api.world.platform.key), orgOf(name));
    const { principal, performer, platform } = world;
    const frontEnd = open(api);
    const calls = await tellStory(frontEnd, {
      principal: principal.client,
      performer: performer.client,
      platform,
      performerId: performer.id,
      keys: name,
    });
    tellings.set(name, { world, calls, frontEnd });
  }
});

const orgOf = (name: string): string => `Org${names.indexOf(name)}`;

const statementOf = ({ coseSign1 }: Body): unknown => {
  const { payload } = parseStatement(Buffer.from(String(coseSign1), 'base64'));
  return payload;
};

/** What ends otherwise the next time is not kept. */
const isKept = ({ step, told, isSaid }: Performed): boolean =>
  isSaid &&
  step.key !== undefined &&
  ('view' in told || !['malformed', 'forbidden'].includes(told.refusal.kind));

const pairs = names.flatMap((first) =>
  names.filter((other) => other !== first).map((other) => [first, other] as const),
);

describe('the story', () => {
  it('goes through every kind of outcome', () => {
    const kinds = told('REST').calls.map(({ told: one }) =>
      'view' in one ? 'view' : one.refusal.kind,
    );
    expect(kinds.filter((kind) => kind === 'view').length).toBeGreaterThan(20);
    expect(new Set(kinds)).toEqual(
      new Set([
        'view',
        'malformed',
        'missing',
        'forbidden',
        'unprocessable',
        'precondition-failed',
      ]),
    );
  });

  it.each(pairs)(
    'over %s shows what it shows over %s, but for ids, times, hashes and links',
    (first, other) => {
      const isSaid = told(first).calls.map(
        (one, at) => one.isSaid && told(other).calls[at]?.isSaid,
      );
      expect(isSaid.filter(Boolean).length).toBeGreaterThan(isSaid.length - 3);
      const shown = (name: string) =>
        withoutIds(
          told(name)
            .calls.filter((_, at) => isSaid[at])
            .map(({ told: one }) => commonForm(one)),
          orgOf(name),
        );
      expect(shown(first)).toEqual(shown(other));
    },
  );

  it.each(pairs)(
    'over %s leaves the chains that it leaves over %s, but for ids, times and hashes',
    async (first, other) => {
      const left = async (name: string) => {
        const { world, calls } = told(name);
        const made = calls.filter(
          ({ step, isSaid }) => isSaid && step.operation === 'createRecord',
        );
        const ids = made.flatMap(({ told: one }) => ('view' in one ? [one.view['id']] : []));
        const chains = await Promise.all(ids.map((id) => chainOf(world.principal.client, id)));
        return withoutIds(chains.flat().map(statementOf), orgOf(name));
      };
      expect(await left(first)).toEqual(await left(other));
    },
  );

  it.each(pairs)(
    'told over %s is replayed over %s: same key, same operation, same input, same outcome',
    async (first, other) => {
      const kept = told(first).calls.filter(isKept);
      expect(kept.length).toBeGreaterThan(15);
      for (const { step, told: before } of kept) {
        const again = await told(other).frontEnd.perform(step);
        expect(commonForm(again), step.key).toEqual(commonForm({ ...before, isReplay: true }));
      }
    },
  );

  it.each(pairs)('a key of %s is refused over %s with another input', async (first, other) => {
    const [{ step }] = told(first).calls as readonly [Performed];
    const input = { ...step.input, criteria: { text: 'another' } };
    expect(await told(other).frontEnd.perform({ ...step, input })).toMatchObject({
      isReplay: false,
      refusal: { kind: 'unprocessable', detail: expect.stringContaining('with another input') },
    });
  });

  it.each(pairs)('a listing that began over %s goes on over %s', async (first, other) => {
    const { calls } = told(first);
    const listing = calls.find(({ step }) => step.operation === 'listRecords')!;
    const page = 'view' in listing.told ? listing.told.view : {};
    const further = { ...listing.step, input: { ...listing.step.input, type: 'note', limit: 1 } };
    const begun = await told(first).frontEnd.perform(further);
    const cursor = 'view' in begun ? String(begun.view['nextCursor']) : '';
    const on = (name: string) =>
      told(name).frontEnd.perform({ ...further, input: { ...further.input, cursor } });
    expect(page['data']).toHaveLength(1);
    expect(commonForm(await on(other))).toEqual(commonForm(await on(first)));
    expect(await on(other)).toMatchObject({ view: { data: [{ type: 'note' }] } });
  });
});
