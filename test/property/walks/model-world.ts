import { actorOf, AGENTS, rulesOf, type ActorName, type AgentName, type TypeName } from './cast.ts';
import type { Label } from './command.ts';

export type Side = 'principal' | 'performer';
export type Signal = 'SETTLE' | 'HOLD' | 'RELEASE';
export type Phase = 'EVIDENCE_WINDOW' | 'TIER_2_REVIEW' | 'TIER_3_ARBITRATION';
type Status =
  | 'CREATED'
  | 'PROPOSED'
  | 'ACTIVE'
  | 'REVISION_REQUESTED'
  | 'RECORDED'
  | 'FULFILLED'
  | 'FAILED'
  | 'REMEDIATED'
  | 'EXPIRED'
  | 'CANCELLED'
  | 'REJECTED';

export interface ModelRecord {
  readonly label: Label;
  readonly type: TypeName;
  status: Status;
  readonly principal: AgentName;
  performer: AgentName | null;
  readonly parent: Label | null;
  readonly depth: number;
  readonly children: Label[];
  awaiting: Side | 'gate' | 'children' | null;
  /** The criteria of the record itself; with a counter outstanding that one is on the table. */
  onTable: 'base' | 'counter';
  countered: boolean;
  rounds: number;
  revisions: number;
  completions: number;
  pending: boolean;
  /** The latest evidence passes the type's own gate. */
  passes?: boolean;
  /** It was ACTIVE at some time. */
  activated: boolean;
  cancelledBy: Side | null;
  readonly fuse: boolean;
  /** Its deadline is capped at that of a parent, days ahead; the window of a completion only moves it further. */
  readonly late: boolean;
  disputes: number;
  /** The open one. */
  dispute: { phase: Phase; readonly side: Side; readonly opener: ActorName } | null;
  /** The newest recommendation. */
  signal: Signal | null;
  readonly references: string[];
  /** How its children stood when they were last verified, each with the length of its chain. */
  verified: string | null;
  /** Types of the entries of its chain. */
  readonly entries: string[];
}

export type ModelWorld = Map<Label, ModelRecord>;
export type Effect = () => void;
export type Predicted =
  | { readonly ok: true; readonly apply: Effect }
  | {
      readonly ok: false;
      readonly status: number;
      readonly code: string;
      readonly reason: string | undefined;
    };

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly reason: string | undefined,
  ) {
    super(code);
  }
}

export const refuse: (status: number, code: string, reason?: string) => never = (
  status,
  code,
  reason,
) => {
  throw new Refusal(status, code, reason);
};

export const record = (world: ModelWorld, label: Label): ModelRecord => {
  const found = world.get(label);
  if (!found) throw new TypeError(`no record ${label} in this walk`);
  return found;
};

export const isOpen = ({ status }: ModelRecord): boolean =>
  status === 'CREATED' ||
  status === 'PROPOSED' ||
  status === 'ACTIVE' ||
  status === 'REVISION_REQUESTED';
export const isTerminal = (one: ModelRecord): boolean => !isOpen(one);

/** The sides that an actor speaks for: an agent for itself, an admin for the agents of its org, a platform key for any. */
export const sidesOf = (
  as: ActorName,
  { principal, performer }: ModelRecord,
): ReadonlySet<Side> => {
  const actor = actorOf(as);
  const speaksFor = (agent: AgentName | null): boolean =>
    actor.kind === 'platform' ||
    (agent !== null &&
      (actor.kind === 'agent'
        ? actor.agent === agent
        : actor.kind === 'admin' && actor.org === AGENTS[agent]));
  const sides = new Set<Side>();
  if (speaksFor(principal)) sides.add('principal');
  if (performer !== null && speaksFor(performer)) sides.add('performer');
  return sides;
};

/** The record, or 404 to whoever is not among its readers. */
export const readable = (world: ModelWorld, as: ActorName, label: Label): ModelRecord => {
  const one = record(world, label);
  if (actorOf(as).kind !== 'platform' && sidesOf(as, one).size === 0) refuse(404, 'NOT_FOUND');
  return one;
};

/** The side that the outcome went against and that may dispute it. */
export const loser = ({ status, completions, cancelledBy }: ModelRecord): Side | null => {
  if (status === 'FULFILLED') return 'principal';
  if (
    status === 'FAILED' ||
    (status === 'EXPIRED' && completions > 0) ||
    (status === 'CANCELLED' && cancelledBy === 'principal' && completions > 0)
  )
    return 'performer';
  return null;
};

/** The windows of the walks are days: only the number of disputes ends it. */
export const disputable = (one: ModelRecord): boolean =>
  loser(one) !== null &&
  one.dispute === null &&
  one.disputes < (rulesOf(one.type).maxDisputes ?? 1);
