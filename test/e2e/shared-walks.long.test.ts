import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rulesOf, type TypeName } from '../property/walks/cast.ts';
import { named, type Command, type Label } from '../property/walks/command.ts';
import { plan } from '../property/walks/planner.ts';
import { filled, requestOf, UNKNOWN_ID } from '../property/walks/request.ts';
import { refusalFault } from '../property/walks/run-walk.ts';
import { clientOf, setStage, type Stage } from '../property/walks/stage.ts';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import {
  freshSecrets,
  inParallel,
  readStored,
  verifyExports,
} from '../support/databases/stored-chains.ts';
import type { Answer, Body } from '../support/service/world.ts';

const WALKS = 40;
const SEED = Number(process.env['NOTARY_WALKS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const mysql = databases().find(({ name }) => name === 'mysql');

/** What two processes have in common while they take one walk: the records, whoever of them made them. */
class Shared {
  readonly values: Map<string, string>;
  private readonly made = new Map<Label, Promise<Answer<Body> | null>>();

  constructor(stage: Stage) {
    this.values = new Map([...stage.agents].map(([name, id]) => [`agent.${name}`, id]));
  }

  /** The first of the two to come here creates the record; null to the other, which waits for it. */
  async create(label: Label, make: () => Promise<Answer<Body>>): Promise<Answer<Body> | null> {
    const making = this.made.get(label);
    if (making) return making.then(() => null);
    const mine = make().then((answer) => {
      if (answer.status < 300) this.values.set(label, String(answer.body['id']));
      return answer;
    });
    this.made.set(label, mine);
    return mine;
  }
}

describe.skipIf(!mysql)(
  `two processes that take the same walks at once on the same records (seed ${SEED})`,
  () => {
    let database: TestDatabase;
    const nodes: ServiceProcess[] = [];
    let stages: readonly Stage[];
    /** By walk and command, how many of the two carried it out. */
    const carriedOut = new Map<string, number>();
    const faults: string[] = [];

    beforeAll(async () => {
      database = await mysql!.open({ migrated: false });
      const env = { DATABASE_URL: database.url, ...freshSecrets() };
      nodes.push(new ServiceProcess(env), new ServiceProcess(env));
      await Promise.all(nodes.map((node) => node.start()));
      const { apiKey, signingKeyFingerprint } = await nodes[0]!.bootstrap();
      const stage = await setStage(nodes[0]!.url, apiKey, signingKeyFingerprint);
      stages = nodes.map(({ url }) => ({ ...stage, url }));
    });
    afterAll(async () => {
      await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
      await database?.drop();
      for (const node of nodes) rmSync(node.directory, { recursive: true, force: true });
    });

    const walkOn = async (
      stage: Stage,
      shared: Shared,
      name: string,
      walk: readonly Command[],
    ): Promise<void> => {
      const types = new Map<Label, TypeName>();
      for (const [index, command] of walk.entries()) {
        if (command.do === 'create') types.set(command.label, command.type);
        if (named(command).some((label) => !shared.values.has(label))) continue;
        if (command.do === 'wait') await sleep(rulesOf(types.get(command.on)!).brief ? 1_020 : 320);
        const soon = new Date(Date.now() + 300).toISOString();
        const { method, path, body } = filled(requestOf(command), (value) =>
          value === 'soon' ? soon : (shared.values.get(value) ?? UNKNOWN_ID),
        );
        const call = (): Promise<Answer<Body>> =>
          clientOf(stage, command.as).call(method, path, body);
        const answer =
          command.do === 'create' ? await shared.create(command.label, call) : await call();
        if (!answer) continue;
        if (answer.status < 300) {
          if (command.do === 'submit')
            shared.values.set(`${command.on}.completion`, String(answer.body['id']));
          if (command.do !== 'read' && command.do !== 'wait')
            carriedOut.set(`${name}.${index}`, (carriedOut.get(`${name}.${index}`) ?? 0) + 1);
        } else {
          const fault = refusalFault(answer);
          if (fault)
            faults.push(
              `${JSON.stringify(command)}: ${answer.status} ${answer.body['detail']}: ${fault}`,
            );
        }
      }
    };

    it('are refused with nothing but the catalogue, and a 503 says when to come back', async () => {
      const walks = fc
        .sample(fc.array(fc.nat(2 ** 31 - 1), { minLength: 15, maxLength: 25 }), {
          numRuns: WALKS,
          seed: SEED,
        })
        .map(plan);
      await inParallel(4, [...walks.entries()], async ([number, walk]) => {
        const shared = new Shared(stages[0]!);
        await Promise.all(stages.map((stage) => walkOn(stage, shared, String(number), walk)));
      });
      expect(faults).toEqual([]);
      // They met: most of what can be done once was done by one of the two.
      const once = [...carriedOut.values()].filter((times) => times === 1).length;
      expect(once).toBeGreaterThan(WALKS);
    });

    it('leave one entry at each position, every row as its chain says, and chains that verify through both', async () => {
      const stored = await readStored(database);
      expect(stored.faults).toEqual([]);
      const ids = [...stored.records.keys()];
      expect(ids.length).toBeGreaterThan(WALKS);
      const half = Math.ceil(ids.length / 2);
      const verified = await Promise.all(
        stages.map((stage, which) =>
          verifyExports(
            clientOf(stage, 'platform'),
            which === 0 ? ids.slice(0, half) : ids.slice(half),
            stage.fingerprint,
            4,
          ),
        ),
      );
      expect(verified.flat()).toEqual([]);
    });
  },
);
