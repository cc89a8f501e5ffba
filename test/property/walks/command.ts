import type { ActorName, AgentName, TypeName } from './cast.ts';

/** Of a record within one walk: r1 is the first that was to be created. */
export type Label = string;

interface By {
  readonly as: ActorName;
}
interface On extends By {
  readonly on: Label;
}
/** With a member that the body does not take. */
interface Body {
  readonly malformed?: boolean;
}

export type Create = By &
  Body & {
    readonly do: 'create';
    readonly label: Label;
    readonly type: TypeName;
    readonly criteria: 'base' | 'bad';
    readonly principal?: AgentName;
    readonly performer?: AgentName | 'unknown';
    readonly auto?: boolean;
    readonly parent?: Label;
    /** It expires a moment after it was created. */
    readonly fuse?: boolean;
  };
export type Take = On &
  Body & {
    readonly do: 'take';
    readonly action: string;
    readonly via: 'transition' | 'path';
    readonly cascade?: boolean;
    readonly hash?: 'base' | 'counter';
    readonly performer?: AgentName | 'unknown';
    readonly criteria?: 'counter' | 'bad';
  };
export type Submit = On &
  Body & {
    readonly do: 'submit';
    readonly evidence: 'pass' | 'fail' | 'bad';
    /** In auto mode: the call dies before it evaluates. Only where the test can make it die. */
    readonly dies?: boolean;
  };
export type Verdict = On &
  Body & {
    readonly do: 'verdict';
    readonly verdict: 'accept' | 'reject';
    readonly completion: 'latest' | 'other';
  };
export type AddReference = On & Body & { readonly do: 'reference'; readonly uri: string };
export type DisputeStep = 'open' | 'evidence' | 'escalate' | 'resolve' | 'withdraw';
export type Dispute = On &
  Body & {
    readonly do: 'dispute';
    readonly step: DisputeStep;
    readonly outcome?: 'UPHELD' | 'OVERTURNED';
  };
export type Read = On & { readonly do: 'read' };
/** Lets the deadline of a record pass, then reads it. */
export type Wait = { readonly do: 'wait'; readonly on: Label; readonly as: 'platform' };

/** One step of a walk, complete: nothing in it depends on the steps before but the records it names. */
export type Command = Create | Take | Submit | Verdict | AddReference | Dispute | Read | Wait;

export const ACTION_PATHS: ReadonlySet<string> = new Set([
  'accept',
  'reject',
  'counter-propose',
  'accept-counter',
  'cancel',
  'revision',
]);

/** The records that a command takes for granted. */
export const named = (command: Command): readonly Label[] =>
  command.do === 'create' ? (command.parent === undefined ? [] : [command.parent]) : [command.on];
