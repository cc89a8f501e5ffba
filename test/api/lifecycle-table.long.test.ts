import { beforeAll, describe, expect, it } from 'vitest';
import { EvaluatePending } from '../../application/record/evaluate-pending.ts';
import { attemptsBy, TRYING } from '../property/walks/attempts.ts';
import { rulesOf, type ActorName } from '../property/walks/cast.ts';
import type { Command } from '../property/walks/command.ts';
import { predict } from '../property/walks/model.ts';
import { record, sidesOf, type ModelWorld } from '../property/walks/model-world.ts';
import { recordFaults } from '../property/walks/record-faults.ts';
import { Walk } from '../property/walks/run-walk.ts';
import { SITUATIONS, SUBJECT } from '../property/walks/situations.ts';
import { setStage, type Stage } from '../property/walks/stage.ts';
import { tableSays } from '../property/walks/table-says.ts';
import { useApi } from '../support/service/api.ts';

// Without jobs: what a crash left behind stays as it is.
const api = useApi({ ROLE: 'api' });
let stage: Stage;
/** Records whose submission dies before the gates are evaluated. */
const dying = new Set<string>();

beforeAll(async () => {
  stage = await setStage(api.world.url, String(api.world.platform.key), api.fingerprint);
  const evaluatePending = api.service.container.get(EvaluatePending);
  const afterSubmission = evaluatePending.afterSubmission.bind(evaluatePending);
  evaluatePending.afterSubmission = (...given) =>
    dying.has(given[1].record.id)
      ? Promise.reject(new Error('the process died here'))
      : afterSubmission(...given);
});

/** A record in this situation, on which nothing was tried yet. */
const arrive = async (situation: readonly Command[]): Promise<Walk> => {
  const walk = new Walk(stage);
  for (const command of situation) {
    if (command.do === 'submit' && command.dies) dying.add(String(walk.ids.get(command.on)));
    expect(await walk.step(command), JSON.stringify(command)).toBeNull();
  }
  for (const id of walk.ids.values()) dying.delete(id);
  return walk;
};

/** What the model expects, in the words of the table. */
const modelSays = (world: ModelWorld, command: Command): object | 'done' => {
  const { ok, ...refusal } = predict(world, command);
  return ok ? 'done' : (JSON.parse(JSON.stringify(refusal)) as object);
};

const LEAVES_IT: ReadonlySet<Command['do']> = new Set<Command['do']>(['read', 'reference']);
/** In auto mode the gates may decide in the same call. */
const MAY_GO_ON: ReadonlySet<string> = new Set(['submit', 'verify-cascade']);

const tryAll = async (as: ActorName, situation: readonly Command[]): Promise<void> => {
  let walk = await arrive(situation);
  for (const attempt of attemptsBy(as)) {
    const told = `${as}: ${JSON.stringify(attempt)}`;
    const one = record(walk.world, SUBJECT);
    const before = one.status;
    const model = modelSays(walk.world, attempt);
    const table =
      sidesOf(as, one).size > 0 && as !== 'alice-reader' ? tableSays(walk.world, attempt) : null;
    // The model was written from the contract alone: table and model have to agree before the service is asked.
    if (table && !('to' in table)) expect(model, told).toEqual(table);
    expect(await walk.step(attempt), told).toBeNull();
    if (model !== 'done') continue;
    const goesOn =
      rulesOf(one.type).mode === 'auto' &&
      MAY_GO_ON.has(attempt.do === 'take' ? attempt.action : attempt.do);
    if (table)
      expect(
        'to' in table && [...table.to, ...(goesOn ? ['FULFILLED', 'FAILED'] : [])],
        told,
      ).toContain(one.status);
    else expect(attempt.do === 'dispute' || one.status === before, told).toBe(true);
    if (!LEAVES_IT.has(attempt.do)) walk = await arrive(situation);
  }
  // Whatever was refused left nothing on the chain.
  expect(await recordFaults(stage, walk.world, walk.ids, () => undefined)).toBeNull();
};

describe('every action, by everyone, in every situation, answers exactly what the table says', () => {
  it.each(Object.entries(SITUATIONS))('%s', async (_name, situation) => {
    await Promise.all(TRYING.map((as) => tryAll(as, situation)));
  });
});
