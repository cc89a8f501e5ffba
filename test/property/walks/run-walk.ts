import { ERROR_CATALOGUE, type ErrorCode } from '../../../domain/kernel/errors.ts';
import { KIND_STATUS, wireCodeOf } from '../../../adapters/http/problem.ts';
import { ALWAYS_PRESENT } from '../../support/stories/problems.ts';
import { sleep, type Answer, type Body } from '../../support/service/world.ts';
import { rulesOf, type AgentName } from './cast.ts';
import { named, type Command, type Label } from './command.ts';
import { predict as contract } from './model.ts';
import { record, type ModelRecord, type ModelWorld, type Predicted } from './model-world.ts';
import { recordFaults, type Witness } from './record-faults.ts';
import { filled, requestOf, UNKNOWN_ID } from './request.ts';
import { clientOf, type Stage } from './stage.ts';
import { stateOfAnswer, stateOfModel } from './state-words.ts';

interface Fault {
  readonly expected: string;
  readonly observed: string;
}

/** Where the service and the model part. */
export interface Mismatch extends Fault {
  /** Of the command in the walk; its length where the records differ after the last one. */
  readonly at: number;
}

export interface Walked {
  readonly mismatch: Mismatch | null;
  readonly world: ModelWorld;
  /** Ids of the records that were made. */
  readonly ids: ReadonlyMap<Label, string>;
}

/** How far ahead a deadline is set that is to pass within the walk, ms. */
const SOON = 1_500;

type Model = (world: ModelWorld, command: Command) => Predicted;

/** Takes a walk on the stage, holding each answer against what the model says, up to the first that differs. */
export const runWalk = async (
  stage: Stage,
  commands: readonly Command[],
  predict: Model = contract,
  witness: Witness = () => undefined,
): Promise<Walked> => {
  const walk = new Walk(stage, predict);
  for (const [at, command] of commands.entries()) {
    const fault = await walk.step(command);
    if (fault) return { mismatch: { at, ...fault }, world: walk.world, ids: walk.ids };
  }
  const fault = await recordFaults(stage, walk.world, walk.ids, witness);
  return {
    mismatch: fault ? { at: commands.length, ...fault } : null,
    world: walk.world,
    ids: walk.ids,
  };
};

/** A walk under way: the model beside the service, and the ids that the service gave. */
export class Walk {
  readonly world: ModelWorld = new Map();
  readonly ids = new Map<Label, string>();
  private readonly values: Map<string, string>;
  private readonly due = new Map<Label, number>();

  constructor(
    private readonly stage: Stage,
    private readonly predict: Model = contract,
  ) {
    this.values = new Map(
      [...stage.agents].map(([name, id]: [AgentName, string]) => [`agent.${name}`, id]),
    );
  }

  /** @returns what differs; null where the answer is the one that the model gives. */
  async step(command: Command): Promise<Fault | null> {
    const { world, values, due } = this;
    // Where a walk is being shrunk, a record may not have come to be.
    const absent = named(command).find((label) => !world.has(label));
    if (absent !== undefined)
      return { expected: 'a record to act on', observed: `${absent} was not made` };
    const predicted = this.predict(world, command);
    if (predicted.ok) predicted.apply();
    if (command.do === 'wait') await sleep(Math.max(0, (due.get(command.on) ?? 0) - Date.now()));
    values.set('soon', new Date(Date.now() + SOON).toISOString());
    const { method, path, body } = filled(
      requestOf(command),
      (name) => values.get(name) ?? UNKNOWN_ID,
    );
    const answer = await clientOf(this.stage, command.as).call(method, path, body);
    const made = answer.status < 300 ? String(answer.body['id']) : null;
    if (made !== null && command.do === 'create') {
      this.ids.set(command.label, made);
      values.set(command.label, made);
      due.set(command.label, Date.now() + SOON + 5);
    }
    if (made !== null && command.do === 'submit') {
      values.set(`${command.on}.completion`, made);
      if (rulesOf(record(world, command.on).type).brief) due.set(command.on, Date.now() + 1_010);
    }
    const [expected, observed] = compare(command, predicted, answer, world);
    return expected === observed ? null : { expected, observed };
  }
}

/** Both in the same words, so that they are equal exactly where the answer is the one expected. */
const compare = (
  command: Command,
  predicted: Predicted,
  answer: Answer<Body>,
  world: ModelWorld,
): readonly [string, string] => {
  const { status, body } = answer;
  if (status >= 300) {
    const fault = refusalFault(answer);
    const observed = `${status} ${body['code']}${body['reason'] !== undefined && command.do !== 'dispute' ? ` ${body['reason']}` : ''}${fault ? `, but ${fault}` : ''}`;
    return [
      predicted.ok
        ? 'it is carried out'
        : `${predicted.status} ${predicted.code}${predicted.reason && command.do !== 'dispute' ? ` ${predicted.reason}` : ''}`,
      observed,
    ];
  }
  const seen = shown(command, body);
  if (!predicted.ok)
    return [
      `${predicted.status} ${predicted.code}${predicted.reason ? ` ${predicted.reason}` : ''}`,
      `${status} ${seen}`,
    ];
  return [
    `${status} ${expectedOf(command, record(world, command.do === 'create' ? command.label : command.on))}`,
    `${status} ${seen}`,
  ];
};

/** What an answer says of the record. */
const shown = (command: Command, body: Body): string => {
  if (command.do === 'dispute') return String(body['phase']);
  if (command.do === 'submit' || command.do === 'reference') return String(body['recordStatus']);
  return stateOfAnswer(body);
};

const expectedOf = (command: Command, one: ModelRecord): string => {
  if (command.do === 'dispute')
    return one.dispute?.phase ?? (command.step === 'withdraw' ? 'WITHDRAWN' : 'RESOLVED');
  if (command.do === 'submit' || command.do === 'reference') return one.status;
  return stateOfModel(one);
};

const catalogue = new Set(
  (Object.keys(ERROR_CATALOGUE) as ErrorCode[]).map(
    (code) =>
      `${KIND_STATUS[ERROR_CATALOGUE[code].kind]} /problems/${ERROR_CATALOGUE[code].slug} ${wireCodeOf(code)}`,
  ),
);

/** What is wrong with a refusal whatever it refuses; null where it is one of the catalogue, whole. */
export const refusalFault = ({ status, body, headers }: Answer<Body>): string | null => {
  if (!headers.get('content-type')?.startsWith('application/problem+json'))
    return `it is ${headers.get('content-type')}`;
  const missing = ALWAYS_PRESENT.filter((member) => body[member] === undefined);
  if (missing.length > 0) return `it lacks ${missing.join(', ')}`;
  if (status !== body['status'] || !catalogue.has(`${status} ${body['type']} ${body['code']}`))
    return `${status} ${body['type']} ${body['code']} is not in the catalogue`;
  if (status === 503 && headers.get('retry-after') === null)
    return 'it does not say when to come back';
  if (status >= 500 && status !== 503) return 'it is the fault of the service';
  if (typeof body['suggestion'] !== 'string' || body['suggestion'] === '')
    return 'it suggests nothing';
  if (body['code'] === 'FORBIDDEN' && !Array.isArray(body['allowedActors']))
    return 'it does not name who may';
  if (
    (body['code'] === 'INVALID_ACTION' || body['code'] === 'UNPROCESSABLE_STATE') &&
    !Array.isArray(body['allowedActions'])
  )
    return 'it does not say what is allowed';
  return null;
};
