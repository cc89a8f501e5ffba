import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import { CRITERIA, EVIDENCE } from './cast.ts';
import type { Command, Label } from './command.ts';

/** A command as HTTP. What only the run knows stands in it as `@name@`: an id of a record, a completion or an agent, or a time. */
export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Record<string, unknown>;
}

/** No agent, no completion. */
export const UNKNOWN_ID = '0190a000-0000-7000-8000-0000000000ff';

export const idOf = (label: Label): string => `@${label}@`;
export const completionOf = (label: Label): string => `@${label}.completion@`;
const agent = (name: string): string => (name === 'unknown' ? UNKNOWN_ID : `@agent.${name}@`);
const hashOf = (which: 'base' | 'counter'): string =>
  createHash('sha256')
    .update(canonicalize(CRITERIA[which]) as string)
    .digest('hex');

export const requestOf = (command: Command): Request => {
  const surplus =
    command.do !== 'read' && command.do !== 'wait' && command.malformed ? { surplus: true } : {};
  const post = (path: string, body: Record<string, unknown>): Request => ({
    method: 'POST',
    path,
    body: { ...body, ...surplus },
  });
  switch (command.do) {
    case 'create': {
      const { type, criteria, principal, performer, auto, parent, fuse } = command;
      return post('/v1/records', {
        type,
        criteria: CRITERIA[criteria],
        ...(principal ? { principalAgentId: agent(principal) } : {}),
        ...(performer ? { performerAgentId: agent(performer) } : {}),
        ...(auto ? { autoActivate: true } : {}),
        ...(parent ? { parentRecordId: idOf(parent) } : {}),
        ...(fuse ? { expiresAt: '@soon@' } : {}),
      });
    }
    case 'take': {
      const { on, action, via, cascade, hash, performer, criteria } = command;
      const parameters = {
        ...(cascade ? { cascade } : {}),
        ...(hash ? { criteriaHash: hashOf(hash) } : {}),
        ...(performer ? { performerAgentId: agent(performer) } : {}),
        ...(criteria ? { criteria: CRITERIA[criteria] } : {}),
      };
      return via === 'path'
        ? post(`/v1/records/${idOf(on)}/${action}`, parameters)
        : post(`/v1/records/${idOf(on)}/transition`, { action, ...parameters });
    }
    case 'submit':
      return post(`/v1/records/${idOf(command.on)}/completions`, {
        evidence: EVIDENCE[command.evidence],
      });
    case 'verdict':
      return post(`/v1/records/${idOf(command.on)}/verdict`, {
        verdict: command.verdict,
        completionId: command.completion === 'latest' ? completionOf(command.on) : UNKNOWN_ID,
      });
    case 'reference':
      return post(`/v1/records/${idOf(command.on)}/references`, { kind: 'note', uri: command.uri });
    case 'dispute':
      return post(
        `/v1/records/${idOf(command.on)}/dispute${DISPUTE_PATHS[command.step]}`,
        disputeBody(command),
      );
    case 'read':
    case 'wait':
      return { method: 'GET', path: `/v1/records/${idOf(command.on)}` };
  }
};

const DISPUTE_PATHS = {
  open: '',
  evidence: '/evidence',
  escalate: '/escalate',
  resolve: '/resolve',
  withdraw: '/withdraw',
} as const;

const disputeBody = ({
  step,
  outcome,
}: Extract<Command, { do: 'dispute' }>): Record<string, unknown> => {
  switch (step) {
    case 'open':
      return { grounds: 'the outcome is wrong' };
    case 'evidence':
      return { evidence: { log: 'see there' } };
    case 'resolve':
      return { outcome, resolution: 'so decided' };
    case 'escalate':
    case 'withdraw':
      return {};
  }
};

/** Puts values where the names stand, in a path or anywhere in a body. */
export const filled = <T>(template: T, value: (name: string) => string): T =>
  JSON.parse(
    JSON.stringify(template).replaceAll(/@([a-z0-9.-]+)@/g, (_whole, name: string) => value(name)),
  ) as T;
